import type { Clock } from '../../../src/domain/clock.ts'
import { realTimeout } from '../../../src/exchange/clock/real-timeout.ts'

interface Timer {
  readonly dueAt: number
  readonly callback: () => void
  cancel: () => void
}

/** A clock that runs as fast as real time, and can be set forward: nobody has to wait for the next minute. */
export class JumpingClock implements Clock {
  readonly #timers = new Set<Timer>()
  #offset: number

  /** Starts at `startAt`, ms UTC. */
  constructor(startAt: number) {
    this.#offset = startAt - performance.now()
  }

  now(): number {
    return Math.floor(this.#offset + performance.now())
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const timer = { dueAt: this.#offset + performance.now() + delayMs, callback, cancel: () => {} }
    this.#timers.add(timer)
    this.#arm(timer)
    return () => {
      timer.cancel()
      this.#timers.delete(timer)
    }
  }

  /** Sets the clock forward to a time, ms UTC; what is due by then comes at once, in order. */
  jumpTo(time: number): void {
    this.#offset = Math.max(this.#offset, time - performance.now())
    for (const timer of [...this.#timers].sort((left, right) => left.dueAt - right.dueAt)) {
      timer.cancel()
      this.#arm(timer)
    }
  }

  #arm(timer: Timer): void {
    const leftMs = timer.dueAt - this.#offset - performance.now()
    timer.cancel = realTimeout(leftMs, () => {
      this.#timers.delete(timer)
      timer.callback()
    })
  }
}
