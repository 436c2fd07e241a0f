import type { SchedulerLike } from 'rxjs'
import { ExchangeError } from '../exchange/exchange-error.ts'
import type { Ticker } from '../exchange/ticker.ts'
import type { LastPrices } from './last-prices.ts'
import type { MarketClient } from './market-client.ts'
import type { ReadFailed, TickerRead } from './market-event.ts'
import { streamOf } from './market-subscription.ts'
import type { PeriodicPace } from './periodic-pace.ts'
import type { TickerWork } from './poll-plan.ts'
import type { PollReader, Reading } from './poll-reader.ts'

/** What a ticker reader reads with. */
export interface TickerReaderOptions {
  readonly work: TickerWork
  readonly pace: PeriodicPace
  readonly client: MarketClient
  readonly lastPrices: LastPrices
  readonly scheduler: SchedulerLike
}

interface Answer {
  readonly tickers: readonly TickerRead[]
  /** Symbols that the exchange does not know, with what it said. */
  readonly unknown: readonly { readonly symbol: string; readonly error: unknown }[]
}

/** Interface section 7.1: the symbol is invalid. */
const BAD_SYMBOL = -1121
/** A symbol that the exchange does not know is left out of its batch for so long. */
const LEFT_OUT_MS = 600_000

/**
 * Reads tickers, many at a time. One symbol that the exchange no longer knows fails the call for all the others, so a
 * refused batch is halved until the culprit is found, and goes on without it.
 */
export class TickerReader implements PollReader {
  readonly streams: readonly string[]
  readonly #options: TickerReaderOptions
  /** When to try again, ms UTC, by symbol. */
  readonly #leftOut = new Map<string, number>()

  constructor(options: TickerReaderOptions) {
    this.#options = options
    this.streams = options.work.symbols.map(symbol => this.#streamOf(symbol))
  }

  dueAt(now: number): number {
    return this.#options.pace.dueAt(now)
  }

  async read(): Promise<() => Reading> {
    const { work, scheduler, pace } = this.#options
    pace.begin()
    const now = scheduler.now()
    const symbols = work.symbols.filter(symbol => (this.#leftOut.get(symbol) ?? now) <= now)
    const answer = await (work.market === 'spot' ? this.#readSpot(symbols) : this.#readFutures(symbols))
    return () => this.#take(answer, now)
  }

  #take({ tickers, unknown }: Answer, now: number): Reading {
    const { scheduler, pace, lastPrices } = this.#options
    for (const { market, symbol, ticker } of tickers) {
      lastPrices.saw(market, symbol, { price: ticker.last.toNumber(), askedAt: now })
    }
    const failed = unknown.map(({ symbol, error }): ReadFailed => {
      this.#leftOut.set(symbol, now + LEFT_OUT_MS)
      const what = `ticker of ${symbol}`
      const streams = [this.#streamOf(symbol)]
      return { type: 'failed', what, streams, error, failures: 1, retryInMs: LEFT_OUT_MS }
    })
    const dueAt = scheduler.now() + pace.everyMs
    const alive = tickers.map(({ symbol }) => ({ stream: this.#streamOf(symbol), dueAt }))
    return { events: [...tickers, ...failed], alive }
  }

  async #readSpot(symbols: readonly string[]): Promise<Answer> {
    const { work, client } = this.#options
    if (symbols.length === 0) return { tickers: [], unknown: [] }
    try {
      const [only, ...others] = symbols
      const read =
        only !== undefined && others.length === 0 && !work.all
          ? [await client.spot.ticker({ symbol: only })]
          : await client.spot.tickers(work.all ? {} : { symbols })
      return { tickers: wantedOf(read, symbols), unknown: [] }
    } catch (error) {
      if (work.all || !(error instanceof ExchangeError) || error.exchangeCode !== BAD_SYMBOL) throw error
      if (symbols.length === 1) return { tickers: [], unknown: symbols.map(symbol => ({ symbol, error })) }
      const middle = Math.ceil(symbols.length / 2)
      const [left, right] = [
        await this.#readSpot(symbols.slice(0, middle)),
        await this.#readSpot(symbols.slice(middle)),
      ]
      return { tickers: [...left.tickers, ...right.tickers], unknown: [...left.unknown, ...right.unknown] }
    }
  }

  async #readFutures(symbols: readonly string[]): Promise<Answer> {
    const { work, client } = this.#options
    const futures = client.futures
    if (futures === undefined) return { tickers: [], unknown: [] }
    const [only = ''] = symbols
    const read = work.all ? await futures.tickers() : [await futures.ticker({ contractName: only })]
    const wanted = new Set(symbols)
    const tickers = read
      .filter(({ contractName }) => wanted.has(contractName))
      .map(
        (ticker): TickerRead => ({ type: 'ticker', market: 'futures', symbol: ticker.contractName, ticker }),
      )
    return { tickers, unknown: [] }
  }

  #streamOf(symbol: string): string {
    return streamOf({ type: 'ticker', market: this.#options.work.market, symbol })
  }
}

/** In the order in which they were subscribed to. */
function wantedOf(read: readonly Ticker[], symbols: readonly string[]): readonly TickerRead[] {
  const bySymbol = new Map(read.map(ticker => [ticker.symbol, ticker]))
  return symbols.flatMap(symbol => {
    const ticker = bySymbol.get(symbol)
    return ticker === undefined ? [] : [{ type: 'ticker', market: 'spot', symbol, ticker } as const]
  })
}
