/** Explained volume by the minute, as plain data: open time in ms UTC, and steps. */
export type ExplainedVolumeState = ReadonlyMap<number, number>

const MINUTE = 60_000
/** Minutes that a gap may still be judged by. */
const KEPT = 10

/** Volume of minutes that is known from trades, or has filled own orders; the rest of a minute's volume is unknown. */
export class ExplainedVolume {
  readonly #volumes = new Map<number, number>()

  dump(): ExplainedVolumeState {
    return this.#volumes
  }

  restore(state: ExplainedVolumeState): void {
    for (const [minute, volume] of state) this.#volumes.set(minute, volume)
  }

  /** Adds steps that traded at a time, ms UTC. */
  add(time: number, quantity: number): void {
    const minute = Math.floor(time / MINUTE) * MINUTE
    this.#volumes.set(minute, this.within(minute) + quantity)
    if (this.#volumes.size > KEPT) this.#volumes.delete(Math.min(...this.#volumes.keys()))
  }

  /** Explained volume of the minute that opens at a time, in steps. */
  within(openTime: number): number {
    return this.#volumes.get(openTime) ?? 0
  }
}
