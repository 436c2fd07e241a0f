import type { Clock } from '../../src/domain/clock.ts'

/** A clock moved by hand; `due` are the timers that wait, in the order they were set. */
export class HandClock implements Clock {
  time: number
  readonly due: { readonly at: number; readonly callback: () => void }[] = []

  constructor(time: number) {
    this.time = time
  }

  now(): number {
    return this.time
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const timer = { at: this.time + delayMs, callback }
    this.due.push(timer)
    return () => {
      const index = this.due.indexOf(timer)
      if (index >= 0) this.due.splice(index, 1)
    }
  }

  /** Moves to a time and calls what is due by then. */
  moveTo(time: number): void {
    this.time = time
    for (const timer of this.due.filter(({ at }) => at <= time)) {
      this.due.splice(this.due.indexOf(timer), 1)
      timer.callback()
    }
  }
}
