import type { Interval } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import type { EndpointCall } from '../call/endpoint-call.ts'
import { ENDPOINTS } from '../endpoints.ts'
import { MalformedResponseError } from '../errors/malformed-response-error.ts'
import type { ExchangeDepth } from '../spot/depth.ts'
import { spotIntervalName } from '../spot/spot-interval.ts'
import type { SpotSymbol } from '../spot/spot-symbol.ts'
import { asSymbol, type SymbolNames } from '../spot/symbol-names.ts'
import type { ExchangeTicker } from '../spot/ticker.ts'
import type { ExchangeTrade } from '../spot/trade.ts'
import type { OnUnreadable } from '../wire/list-field.ts'
import { oldestFirst } from '../wire/oldest-first.ts'

/** Filter of klines; times in ms UTC, both included. */
interface KlinesQuery {
  readonly symbol: string
  readonly interval: Interval
  /** 1 to 300, default 100. */
  readonly limit?: number
  readonly startTime?: number
  readonly endTime?: number
  /**
   * Time zone in which days, weeks and months begin, in the form `UTC-09`; default: the exchange's choice.
   */
  readonly timezone?: string
}

/** Spot market data (interface section 4.1): free access. */
export interface SpotMarketCalls {
  /** Resolves once the exchange answered. */
  ping(): Promise<void>
  /** The exchange's clock, ms UTC. */
  time(): Promise<number>
  /**
   * Every pair with its precisions, limits and fees, without those whose entries cannot be read:
   * `onUnreadable` is told about each of them. Weight 1.
   */
  symbols(options?: { readonly onUnreadable?: OnUnreadable }): Promise<readonly SpotSymbol[]>
  /** Best prices first. `limit`: 1 to 100 levels a side, default 100. Weight 5. */
  depth(query: { readonly symbol: string; readonly limit?: number }): Promise<ExchangeDepth>
  /** The last 24 hours of one pair. Weight 5. */
  ticker(query: { readonly symbol: string }): Promise<ExchangeTicker>
  /**
   * The last 24 hours of some or all pairs. Weight 5 for up to 20 pairs, 40 for up to 100, 80 for more and
   * for all.
   */
  tickers(query?: { readonly symbols?: readonly string[] }): Promise<readonly ExchangeTicker[]>
  /** Recent public trades, oldest first. `limit`: 1 to 1000, default 100. Weight 5. */
  trades(query: { readonly symbol: string; readonly limit?: number }): Promise<readonly ExchangeTrade[]>
  /** Klines, oldest first; the newest may still be growing. Weight 1. */
  klines(query: KlinesQuery): Promise<readonly Kline[]>
}

/** Market-data methods over `call`. */
export function spotMarketCalls(call: EndpointCall, names: SymbolNames): SpotMarketCalls {
  return {
    ping: async () => void (await call(ENDPOINTS.spotPing, {})),
    time: async () => (await call(ENDPOINTS.spotTime, {})).serverTime,
    symbols: async ({ onUnreadable } = {}) => {
      const { entries, unreadable } = await call(ENDPOINTS.spotSymbols, {})
      names.learn(entries)
      if (onUnreadable !== undefined) unreadable.forEach(onUnreadable)
      return entries
    },
    depth: query => call(ENDPOINTS.spotDepth, { ...query, symbol: query.symbol.toUpperCase() }),
    ticker: query => readTicker(call, query.symbol.toUpperCase()),
    tickers: async ({ symbols } = {}) => {
      const tickers = await call(ENDPOINTS.spotTicker, { symbols: symbols?.join(',').toUpperCase() })
      return names.named(tickers)
    },
    trades: async query => {
      const symbol = query.symbol.toUpperCase()
      const trades = await call(ENDPOINTS.spotTrades, { ...query, symbol })
      return oldestFirst(asSymbol(trades.entries, symbol), ({ time, id }) => ({ time, id }))
    },
    klines: query => readKlines(call, query),
  }
}

async function readTicker(call: EndpointCall, symbol: string): Promise<ExchangeTicker> {
  const [ticker] = await call(ENDPOINTS.spotTicker, { symbol })
  if (ticker !== undefined) return { ...ticker, symbol }
  throw new MalformedResponseError(ENDPOINTS.spotTicker.key, 200, `there is no ticker of ${symbol}.`, '[]')
}

async function readKlines(call: EndpointCall, query: KlinesQuery): Promise<readonly Kline[]> {
  const fields = { ...query, symbol: query.symbol.toUpperCase(), interval: spotIntervalName(query.interval) }
  const klines = await call(ENDPOINTS.spotKlines, fields)
  return klines.toSorted((left, right) => left.openTime - right.openTime)
}
