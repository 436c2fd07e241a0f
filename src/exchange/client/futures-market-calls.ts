import type { Interval } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import type { EndpointCall } from '../call/endpoint-call.ts'
import { ENDPOINTS } from '../endpoints.ts'
import type { FuturesContract } from '../futures/contract.ts'
import { ContractNames } from '../futures/contract-names.ts'
import { futuresIntervalName } from '../futures/futures-interval.ts'
import type { FuturesTicker } from '../futures/futures-ticker.ts'
import type { ExchangeIndexPrice } from '../futures/index-price.ts'
import type { ExchangeDepth } from '../spot/depth.ts'
import type { OnUnreadable } from '../wire/list-field.ts'

/** Filter of futures klines; times in ms UTC, both included. */
interface FuturesKlinesQuery {
  readonly contractName: string
  readonly interval: Interval
  /** 1 to 300, default 100. */
  readonly limit?: number
  /** Accepted by sibling hosts; the interface document lacks it. */
  readonly startTime?: number
  /** Accepted by sibling hosts; the interface document lacks it. */
  readonly endTime?: number
}

/** Futures market data (interface section 4.5): free access, no documented weights. */
export interface FuturesMarketCalls {
  /** Resolves once the exchange answered. */
  ping(): Promise<void>
  /** The exchange's clock, ms UTC. */
  time(): Promise<number>
  /**
   * Every contract with its multiplier, limits, leverage and fees, those that cannot be traded included, and
   * without those whose entries cannot be read: `onUnreadable` is told about each of them.
   */
  contracts(options?: { readonly onUnreadable?: OnUnreadable }): Promise<readonly FuturesContract[]>
  /** Best prices first, quantities in contracts. `limit`: 1 to 100 levels a side, default 100. */
  depth(query: { readonly contractName: string; readonly limit?: number }): Promise<ExchangeDepth>
  /** The last 24 hours of one contract. */
  ticker(query: { readonly contractName: string }): Promise<FuturesTicker>
  /** The last 24 hours of every contract. */
  tickers(): Promise<readonly FuturesTicker[]>
  /** Index price, mark price and funding rate. */
  indexPrice(query: { readonly contractName: string }): Promise<ExchangeIndexPrice>
  /** Oldest first, volumes in contracts; the newest may still be growing. */
  klines(query: FuturesKlinesQuery): Promise<readonly Kline[]>
}

/** Market-data methods over `call`. */
export function futuresMarketCalls(call: EndpointCall): FuturesMarketCalls {
  const names = new ContractNames(async () => (await call(ENDPOINTS.futuresContracts, {})).entries)
  return {
    ping: async () => void (await call(ENDPOINTS.futuresPing, {})),
    time: async () => (await call(ENDPOINTS.futuresTime, {})).serverTime,
    contracts: async ({ onUnreadable } = {}) => {
      const { entries, unreadable } = await call(ENDPOINTS.futuresContracts, {})
      names.learn(entries)
      if (onUnreadable !== undefined) unreadable.forEach(onUnreadable)
      return entries
    },
    depth: query => call(ENDPOINTS.futuresDepth, named(query)),
    ticker: async query => {
      const fields = named(query)
      return { ...(await call(ENDPOINTS.futuresTicker, fields)), contractName: fields.contractName }
    },
    tickers: async () => names.named(await call(ENDPOINTS.futuresTickerAll, {})),
    indexPrice: async query => {
      const fields = named(query)
      return { ...(await call(ENDPOINTS.futuresIndex, fields)), contractName: fields.contractName }
    },
    klines: async query => {
      const fields = { ...named(query), interval: futuresIntervalName(query.interval) }
      const klines = await call(ENDPOINTS.futuresKlines, fields)
      return klines.toSorted((left, right) => left.openTime - right.openTime)
    },
  }
}

function named<Query extends { readonly contractName: string }>(query: Query) {
  return { ...query, contractName: query.contractName.toUpperCase() }
}
