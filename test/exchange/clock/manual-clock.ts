import type { Clock } from '../../../src/domain/clock.ts'

/** A clock that jumps straight to whatever is scheduled next, and remembers every delay asked for. */
export class ManualClock implements Clock {
  readonly delays: number[] = []
  #now: number

  constructor(now: number) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  schedule(delayMs: number, callback: () => void): () => void {
    this.delays.push(delayMs)
    let canceled = false
    queueMicrotask(() => {
      if (canceled) return
      this.#now += delayMs
      callback()
    })
    return () => {
      canceled = true
    }
  }
}
