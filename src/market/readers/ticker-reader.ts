import type { SchedulerLike } from 'rxjs'
import { ExchangeError } from '../../exchange/errors/exchange-error.ts'
import type { ExchangeTicker } from '../../exchange/spot/ticker.ts'
import { tickerProblem } from '../implausible.ts'
import type { MarketClient } from '../market-client.ts'
import type { DataRefused, ReadFailed, TickerRead } from '../market-event.ts'
import { streamOf } from '../market-subscription.ts'
import type { PeriodicPace } from '../polls/periodic-pace.ts'
import type { TickerWork } from '../polls/poll-plan.ts'
import type { PollReader, Reading } from '../polls/poll-reader.ts'
import type { LastPrices } from '../sequences/last-prices.ts'

export interface TickerReaderOptions {
  readonly work: TickerWork
  readonly pace: PeriodicPace
  readonly client: MarketClient
  readonly lastPrices: LastPrices
  readonly scheduler: SchedulerLike
  /** Exchange time, ms UTC. */
  readonly serverNow: () => number
}

interface Answer {
  readonly tickers: readonly TickerRead[]
  /** Symbols unknown to the exchange, with its error. */
  readonly unknown: readonly { readonly symbol: string; readonly error: unknown }[]
}

/** Error code of an invalid symbol (interface section 7.1). */
const BAD_SYMBOL = -1121
/**
 * Exclusion of an unknown symbol from its batch, ms: short at first, because one answer may be odd, then
 * doubled each time.
 */
const [FIRST_LEFT_OUT_MS, LONGEST_LEFT_OUT_MS] = [1000, 600_000]

/**
 * Reads tickers in batches. One symbol unknown to the exchange fails the call for all others, so a refused
 * batch is halved until the symbol is found, and continues without it.
 */
export class TickerReader implements PollReader {
  readonly streams: readonly string[]
  readonly #options: TickerReaderOptions
  /** End of the exclusion, ms UTC, by symbol. */
  readonly #leftOut = new Map<string, number>()
  /** Length of the current exclusion, ms, by symbol. */
  readonly #unknownFor = new Map<string, number>()

  constructor(options: TickerReaderOptions) {
    this.#options = options
    this.streams = options.work.symbols.map(symbol => this.#streamOf(symbol))
  }

  dueAt(now: number): number {
    return this.#options.pace.dueAt(now)
  }

  async read(): Promise<() => Reading> {
    const { work, scheduler, serverNow, pace } = this.#options
    pace.begin()
    const now = scheduler.now()
    const askedAt = serverNow()
    const symbols = work.symbols.filter(symbol => (this.#leftOut.get(symbol) ?? now) <= now)
    const answer = await (work.market === 'spot' ? this.#readSpot(symbols) : this.#readFutures(symbols))
    return () => this.#take(answer, now, askedAt)
  }

  #take({ tickers: read, unknown }: Answer, now: number, askedAt: number): Reading {
    const { scheduler, pace, lastPrices } = this.#options
    const problems = new Map(
      read.flatMap(entry => {
        const problem = tickerProblem(entry.ticker)
        return problem === undefined ? [] : [[entry, problem] as const]
      }),
    )
    const tickers = read.filter(entry => !problems.has(entry))
    const refused = Array.from(problems, ([{ symbol }, problem]): DataRefused => {
      const reason = `The ticker of ${symbol} is refused: ${problem}.`
      return { type: 'refused', stream: this.#streamOf(symbol), reason }
    })
    for (const { symbol } of tickers) this.#unknownFor.delete(symbol)
    for (const { market, symbol, ticker } of tickers) {
      lastPrices.saw(market, symbol, { price: ticker.last.toNumber(), askedAt })
    }
    const failed = unknown.map(({ symbol, error }): ReadFailed => {
      const leftOutMs = Math.min(
        LONGEST_LEFT_OUT_MS,
        2 * (this.#unknownFor.get(symbol) ?? FIRST_LEFT_OUT_MS / 2),
      )
      this.#unknownFor.set(symbol, leftOutMs)
      this.#leftOut.set(symbol, now + leftOutMs)
      const what = `ticker of ${symbol}`
      const streams = [this.#streamOf(symbol)]
      return { type: 'failed', what, streams, error, failures: 1, retryInMs: leftOutMs }
    })
    const dueAt = scheduler.now() + pace.everyMs
    const alive = tickers.map(({ symbol }) => ({ stream: this.#streamOf(symbol), dueAt }))
    return { events: [...refused, ...tickers, ...failed], alive }
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

/** The read tickers in the order of subscription. */
function wantedOf(read: readonly ExchangeTicker[], symbols: readonly string[]): readonly TickerRead[] {
  const bySymbol = new Map(read.map(ticker => [ticker.symbol, ticker]))
  return symbols.flatMap(symbol => {
    const ticker = bySymbol.get(symbol)
    return ticker === undefined ? [] : [{ type: 'ticker', market: 'spot', symbol, ticker } as const]
  })
}
