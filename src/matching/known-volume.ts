import type { Steps } from '../domain/numbers/grid.ts'

/** Volume of known trades by the minute, as plain data: open time in ms UTC, and steps. */
export type KnownVolumeState = ReadonlyMap<number, number>

const MINUTE = 60_000
/** Minutes that a gap may still be judged by. */
const KEPT = 10

/** Volume of the trades that are known, by minutes; the rest of a minute's volume is unknown. */
export class KnownVolume {
  readonly #volumes = new Map<number, number>()

  dump(): KnownVolumeState {
    return this.#volumes
  }

  restore(state: KnownVolumeState): void {
    for (const [minute, volume] of state) this.#volumes.set(minute, volume)
  }

  /** Adds a trade at a time, ms UTC. */
  add(time: number, quantity: Steps): void {
    const minute = Math.floor(time / MINUTE) * MINUTE
    this.#volumes.set(minute, (this.#volumes.get(minute) ?? 0) + quantity)
    if (this.#volumes.size > KEPT) this.#forgetOldest()
  }

  #forgetOldest(): void {
    for (const oldest of this.#volumes.keys()) {
      if (this.#volumes.size <= KEPT) return
      this.#volumes.delete(oldest)
    }
  }

  /** Known volume of the minute that opens at a time, in steps. */
  within(openTime: number): number {
    return this.#volumes.get(openTime) ?? 0
  }
}
