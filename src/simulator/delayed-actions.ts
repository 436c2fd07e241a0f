/** Something that is carried out at a later moment. */
interface DelayedAction {
  /** ms UTC. */
  readonly time: number
  readonly act: () => void
}

/** What an exchange has put off, by moment; what is due at one moment happens in the order it was put off. */
export class DelayedActions {
  readonly #waiting: DelayedAction[] = []

  /** When the next one is due, ms UTC. */
  get nextAt(): number | undefined {
    return this.#waiting[0]?.time
  }

  /** Whether nothing is put off. */
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
