/** An action to run at a later moment. */
interface DelayedAction {
  /** ms UTC. */
  readonly time: number
  readonly act: () => void
}

/** Delayed actions of an exchange, by moment; those of one moment run in order of their delay. */
export class DelayedActions {
  readonly #waiting: DelayedAction[] = []

  /** When the next one is due, ms UTC. */
  get nextAt(): number | undefined {
    return this.#waiting[0]?.time
  }

  /** True if no action is pending. */
  get areNone(): boolean {
    return this.#waiting.length === 0
  }

  /** Puts an action off until `time`, ms UTC. */
  putOff(time: number, act: () => void): void {
    const position = this.#waiting.findLastIndex(earlier => earlier.time <= time) + 1
    this.#waiting.splice(position, 0, { time, act })
  }

  /** Carries the next one out. */
  actNext(): void {
    this.#waiting.shift()?.act()
  }
}
