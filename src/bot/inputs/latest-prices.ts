import type { Instrument } from '../../domain/instrument.ts'
import { roundToTicks, type Ticks } from '../../domain/numbers/grid.ts'
import type { Executor } from '../../execution/executor.ts'
import type { Quote } from '../../matching/trigger-book.ts'
import type { LivePrices } from '../text/position-status.ts'
import type { MarkPrices } from './mark-prices.ts'
import type { PriceAges } from './price-ages.ts'

/** The latest price of every instrument, as it was polled: fresher than the latest close. For people, and for protections that act on a loss. */
export class LatestPrices implements LivePrices {
  readonly #instruments: ReadonlyMap<string, Instrument>
  readonly #marks: Pick<MarkPrices, 'latestOf'>
  readonly #executor: Pick<Executor, 'stopPriceOf'>
  readonly #ages: Pick<PriceAges, 'oldPriceMs'>
  readonly #last = new Map<string, Ticks>()
  readonly #quotes = new Map<string, Quote>()

  constructor(
    instruments: ReadonlyMap<string, Instrument>,
    marks: Pick<MarkPrices, 'latestOf'>,
    executor: Pick<Executor, 'stopPriceOf'>,
    ages: Pick<PriceAges, 'oldPriceMs'>,
  ) {
    this.#instruments = instruments
    this.#marks = marks
    this.#executor = executor
    this.#ages = ages
  }

  /** Updates the price of an instrument from a quote. */
  observe(symbol: string, quote: Quote): void {
    const { last } = quote
    this.#quotes.set(symbol, quote)
    const instrument = this.#instruments.get(symbol)
    if (instrument !== undefined && last > 0)
      this.#last.set(symbol, roundToTicks(instrument, last, 'nearest'))
  }

  /** Latest trade price, also of a contract. */
  lastOf(symbol: string): Ticks | undefined {
    return this.#last.get(symbol)
  }

  /** Latest quote of a symbol; `undefined` before the first. */
  quoteOf(symbol: string): Quote | undefined {
    return this.#quotes.get(symbol)
  }

  /** Latest trade prices, by symbol. */
  get all(): readonly (readonly [string, Ticks])[] {
    return [...this.#last]
  }

  priceOf(symbol: string): Ticks | undefined {
    const isContract = this.#instruments.get(symbol)?.futures !== undefined
    return isContract ? this.#marks.latestOf(symbol) : this.#last.get(symbol)
  }

  stopPriceOf(clientOrderId: string): Ticks | undefined {
    return this.#executor.stopPriceOf(clientOrderId)
  }

  oldPriceMs(symbol: string): number | undefined {
    return this.#ages.oldPriceMs(symbol)
  }
}
