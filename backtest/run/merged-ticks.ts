import type { TickPlayer } from './tick-player.ts'

/** Plays the recorded ticks of all markets of an account in one order of time; of one moment, those of the first market first. */
export class MergedTicks {
  readonly #players: readonly TickPlayer[]
  /** The latest moment: ms UTC, and ns within that ms. */
  #ms = Number.NEGATIVE_INFINITY
  #ns = 0

  constructor(players: readonly TickPlayer[]) {
    this.#players = players
  }

  /** Plays everything before `end`, ms UTC. */
  playUntil(end: number): void {
    for (;;) {
      const first = this.#first()
      if (first === undefined || first.nextTime >= end) break
      this.#ms = first.nextTime
      this.#ns = first.nextNs
      first.playNext()
    }
    this.#ms = end
    this.#ns = 0
    for (const player of this.#players) player.skipUntil(end, 0)
  }

  /** The market whose tick is next; markets on which no tick can have an effect are passed over. */
  #first(): TickPlayer | undefined {
    let first: TickPlayer | undefined
    for (const player of this.#players) {
      if (!player.isActive) continue
      if (player.isBefore(this.#ms, this.#ns)) player.skipUntil(this.#ms, this.#ns)
      if (first === undefined || player.isBefore(first.nextTime, first.nextNs)) first = player
    }
    return first
  }
}
