import type { FeedPlayer } from '../../backtest/run/feed-player.ts'
import type { MarkPriceSeen } from '../domain/events/engine-event.ts'
import type { Engine } from '../engine/engine.ts'

/**
 * Values contracts at the mark prices that the bot knew, right before the klines that it decided on with them: equity, of
 * which sizes are a part, then is that of live where both runs hold the same.
 */
export class MarkPlayer implements FeedPlayer {
  nextTime = Number.POSITIVE_INFINITY
  readonly #engine: Engine
  readonly #marks: readonly (readonly [closeTime: number, marks: readonly MarkPriceSeen[]])[]
  #index = -1

  /** `marks`: by the close time of the klines, ms UTC. */
  constructor(engine: Engine, marks: ReadonlyMap<number, readonly MarkPriceSeen[]>) {
    this.#engine = engine
    this.#marks = [...marks].sort(([left], [right]) => left - right)
    this.#await()
  }

  dispatch(): void {
    for (const mark of this.#marks[this.#index]?.[1] ?? []) this.#engine.process(mark)
    this.#await()
  }

  #await(): void {
    this.#index++
    this.nextTime = (this.#marks[this.#index]?.[0] ?? Number.POSITIVE_INFINITY) - 1
  }
}
