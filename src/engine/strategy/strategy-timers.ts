import { dueFrom, dueUntil, type Timers } from '../../strategy/timers.ts'

export interface DueTimer {
  readonly name: string
  /** The time at which it was due, ms UTC. */
  readonly time: number
}

/** When each timer is due next, ms UTC, as plain data. */
export type TimersState = Readonly<Record<string, number>>

/**
 * The timers of one strategy. They need no events of their own, because they fire with the strategy's data.
 */
export class StrategyTimers {
  readonly #timers: Timers
  readonly #names: readonly string[]
  readonly #next = new Map<string, number>()

  constructor(timers: Timers) {
    this.#timers = timers
    this.#names = Object.keys(timers)
  }

  get areNone(): boolean {
    return this.#names.length === 0
  }

  /** Skips all times due up to `time`, ms UTC. */
  pass(time: number): void {
    for (const name of this.#names) this.#next.set(name, this.#dueAfter(name, time))
  }

  /**
   * Returns the timers due before `time`, ms UTC (or at it, with `includes`), each once with its latest due
   * time.
   */
  take(time: number, includes: boolean): readonly DueTimer[] {
    if (this.#names.length === 0) return NONE
    let due: DueTimer[] | undefined
    for (const name of this.#names) {
      const next = this.#nextOf(name, time)
      if (includes ? next > time : next >= time) continue
      const last = includes ? dueUntil(this.#periodOf(name), time) : this.#dueBefore(name, time)
      this.#next.set(name, this.#dueAfter(name, last))
      due ??= []
      due.push({ name, time: last })
    }
    return due ?? NONE
  }

  snapshot(): TimersState {
    return Object.fromEntries(this.#next)
  }

  /** Restores a snapshot of the timers that still exist; due times before it are dropped. */
  restore(state: TimersState): void {
    this.#next.clear()
    for (const name of this.#names) {
      const next = state[name]
      if (next !== undefined) this.#next.set(name, next)
    }
  }

  /** A timer starts with the first datum. */
  #nextOf(name: string, time: number): number {
    const known = this.#next.get(name)
    if (known !== undefined) return known
    const first = dueFrom(this.#periodOf(name), time)
    this.#next.set(name, first)
    return first
  }

  #dueAfter(name: string, time: number): number {
    return dueFrom(this.#periodOf(name), time + 1)
  }

  #dueBefore(name: string, time: number): number {
    return dueUntil(this.#periodOf(name), time - 1)
  }

  #periodOf(name: string) {
    return this.#timers[name]?.period ?? '1d' // each name is one of them
  }
}

const NONE: readonly DueTimer[] = []
