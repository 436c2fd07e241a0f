import type { Instrument } from '../domain/instrument.ts'
import { priceOf, roundToTicks, type Ticks } from '../domain/numbers/grid.ts'
import { InvariantError } from '../domain/sluice-error.ts'

/** Prices that may be fresher than those of the ledger. */
export interface FreshPrices {
  /** Latest price, or the mark price of a contract; `undefined` if only the ledger has one. */
  priceOf(symbol: string): Ticks | undefined
}

/** Prices of one instrument, as plain data. */
export interface MarketState {
  readonly symbol: string
  readonly close: number
  readonly mark?: Ticks | undefined
  readonly contractMark?: Ticks | undefined
}

/** Prices of one instrument. */
export interface LedgerMarket {
  readonly instrument: Instrument
  /** Its place among all instruments, from 0 on. */
  readonly index: number
  /** Latest price for equity; `undefined` while the close is not yet rounded to the grid. */
  mark: Ticks | undefined
  isMarked: boolean
  /** The exchange's mark price of a contract, which then counts instead. */
  contractMark: Ticks | undefined
}

/** The instruments of a ledger and their latest prices. */
export class MarketPrices {
  /** Every instrument. */
  readonly all: readonly LedgerMarket[]
  readonly #bySymbol: ReadonlyMap<string, LedgerMarket>
  /** Most questions are about the instrument of the question before. */
  #latest: LedgerMarket | undefined
  readonly #marked: LedgerMarket[] = []
  /** The latest close of each that was seen, quote per base; `NaN` before the first. */
  readonly #closes: Float64Array

  constructor(instruments: Iterable<Instrument>) {
    const unpriced = { mark: undefined, isMarked: false, contractMark: undefined }
    this.all = Array.from(instruments, (instrument, index) => ({ instrument, index, ...unpriced }))
    this.#bySymbol = new Map(this.all.map(market => [market.instrument.symbol, market]))
    this.#closes = new Float64Array(this.all.length).fill(Number.NaN)
  }

  /** Markets with a price, in order of their first one. */
  get marked(): readonly LedgerMarket[] {
    return this.#marked
  }

  /** Throws `InvariantError` for a symbol that is not traded. */
  of(symbol: string): LedgerMarket {
    const market = this.find(symbol)
    if (market === undefined) throw new InvariantError(`No instrument has the symbol ${symbol}.`)
    return market
  }

  /** `undefined` for a symbol that is not traded. */
  find(symbol: string): LedgerMarket | undefined {
    if (this.#latest?.instrument.symbol === symbol) return this.#latest
    const market = this.#bySymbol.get(symbol)
    if (market !== undefined) this.#latest = market
    return market
  }

  has(symbol: string): boolean {
    return this.#bySymbol.has(symbol)
  }

  /** Latest price of an instrument on its grid; `undefined` before the first. */
  latest(market: LedgerMarket): Ticks | undefined {
    if (!market.isMarked) return undefined
    market.mark ??= roundToTicks(market.instrument, this.#lastClose(market), 'nearest')
    return market.mark
  }

  /** The mark price of a contract: the exchange's, or else the latest. */
  markOf(market: LedgerMarket): Ticks | undefined {
    return market.contractMark ?? this.latest(market)
  }

  /** The price by which an instrument counts in curves, quote per base: the mark price of a contract, or else the latest close. */
  closeOf(market: LedgerMarket): number {
    const { instrument, contractMark } = market
    return contractMark === undefined ? this.#lastClose(market) : priceOf(instrument, contractMark)
  }

  /** Sets the latest price of an instrument. */
  mark(market: LedgerMarket, price: Ticks): void {
    if (!market.isMarked) this.#markFirst(market)
    market.mark = price
  }

  /** Notes a close as the latest price; rounded to the grid on the next read. */
  observeClose(market: LedgerMarket, close: number): void {
    if (!market.isMarked) this.#markFirst(market)
    this.#closes[market.index] = close
    market.mark = undefined
  }

  snapshot(): readonly MarketState[] {
    const unmarked = this.all.filter(({ isMarked, contractMark }) => !isMarked && contractMark !== undefined)
    return [...this.#marked, ...unmarked].map(market => ({
      symbol: market.instrument.symbol,
      close: this.#lastClose(market),
      mark: this.latest(market),
      contractMark: market.contractMark,
    }))
  }

  /** Restores a snapshot; skips unknown instruments. */
  restore(markets: readonly MarketState[]): void {
    for (const { symbol, close, mark, contractMark } of markets) {
      const market = this.#bySymbol.get(symbol)
      if (market === undefined) continue
      if (mark !== undefined) this.mark(market, mark)
      this.#closes[market.index] = close
      market.contractMark = contractMark
    }
  }

  #lastClose({ index }: LedgerMarket): number {
    return this.#closes[index] as number // one for each
  }

  #markFirst(market: LedgerMarket): void {
    market.isMarked = true
    this.#marked.push(market)
  }
}
