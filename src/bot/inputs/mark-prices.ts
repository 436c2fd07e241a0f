import type { MarkPriceSeen } from '../../domain/events/engine-event.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { roundToTicks, type Ticks } from '../../domain/numbers/grid.ts'

/**
 * The latest mark prices of contracts. They are measured every second, but only matter together with a kline,
 * or when a loss is due; the changed ones are passed to the engine, and its journal, right before that.
 */
export class MarkPrices {
  readonly #instruments: ReadonlyMap<string, Instrument>
  readonly #seen = new Map<string, Ticks>()
  readonly #told = new Map<string, Ticks>()

  constructor(instruments: ReadonlyMap<string, Instrument>) {
    this.#instruments = instruments
  }

  /** Takes a mark price, quote per base. */
  observe(symbol: string, price: number): void {
    const instrument = this.#instruments.get(symbol)
    if (instrument?.futures !== undefined) this.#seen.set(symbol, roundToTicks(instrument, price, 'nearest'))
  }

  /** The latest mark price of a contract; `undefined` before the first. */
  latestOf(symbol: string): Ticks | undefined {
    return this.#seen.get(symbol)
  }

  /** Prices that are new to the engine; `time` is ms UTC. */
  drainChanges(time: number): readonly MarkPriceSeen[] {
    if (this.#seen.size === 0) return NONE
    const changes: MarkPriceSeen[] = []
    for (const [symbol, price] of this.#seen) {
      if (this.#told.get(symbol) === price) continue
      this.#told.set(symbol, price)
      changes.push({ type: 'markPriceSeen', symbol, price, time })
    }
    return changes
  }
}

const NONE: readonly MarkPriceSeen[] = []
