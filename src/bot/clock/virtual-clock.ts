import { setImmediate as nextImmediate } from 'node:timers/promises'
import type { Clock } from '../../domain/clock.ts'
import { InvariantError } from '../../domain/sluice-error.ts'

interface Timer {
  readonly dueAt: number
  readonly callback: () => void
}

/** A promise chain may itself wait for an immediate or two. */
const SETTLING_IMMEDIATES = 4

/**
 * A clock that moves only on request, so that a run depends on its input alone. It does not wait for sockets
 * and files.
 */
export class VirtualClock implements Clock {
  readonly #settlingImmediates: number
  #now: number
  #advancing = false
  /** By due time; those due together in order of insertion. */
  readonly #timers: Timer[] = []

  /**
   * Starts at `startAt`, ms UTC. After `settlingImmediates` immediates, the work started by a timer counts as
   * settled; one is enough if that work awaits no immediates itself.
   */
  constructor(startAt: number, settlingImmediates = SETTLING_IMMEDIATES) {
    this.#now = startAt
    this.#settlingImmediates = settlingImmediates
  }

  now(): number {
    return this.#now
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const timer = { dueAt: this.#now + Math.ceil(Math.max(0, delayMs)), callback }
    const position = this.#timers.findLastIndex(earlier => earlier.dueAt <= timer.dueAt) + 1
    this.#timers.splice(position, 0, timer)
    return () => {
      const index = this.#timers.indexOf(timer)
      if (index >= 0) this.#timers.splice(index, 1)
    }
  }

  /**
   * Moves to `time` (ms UTC) and runs each timer due on the way at its time, new ones included; all promises
   * and immediates settle before the next. Rejects with the error of a callback, and with `InvariantError`
   * for a time in the past or while another advance runs.
   */
  async advanceTo(time: number): Promise<void> {
    if (time < this.#now) {
      throw new InvariantError(`A clock cannot go back from ${this.#now} to ${time}.`)
    }
    if (this.#advancing) throw new InvariantError('A virtual clock is already advancing; await that first.')
    this.#advancing = true
    try {
      await this.#settle()
      await this.#runUntil(time)
      this.#now = time
    } finally {
      this.#advancing = false
    }
  }

  /** Awaits a promise while time passes, by so many ms at a time; settles as it does. */
  async passUntil<Value>(promise: Promise<Value>, stepMs: number): Promise<Value> {
    let isOver = false
    const over = () => {
      isOver = true
    }
    promise.then(over, over)
    while (!isOver) await this.advanceTo(this.#now + stepMs)
    return promise
  }

  async #runUntil(time: number): Promise<void> {
    for (let timer = this.#takeDue(time); timer !== undefined; timer = this.#takeDue(time)) {
      this.#now = timer.dueAt
      timer.callback()
      await this.#settle()
    }
  }

  #takeDue(time: number): Timer | undefined {
    const next = this.#timers[0]
    return next !== undefined && next.dueAt <= time ? this.#timers.shift() : undefined
  }

  async #settle(): Promise<void> {
    for (let round = 0; round < this.#settlingImmediates; round++) await nextImmediate()
  }
}
