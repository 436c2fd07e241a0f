import type { Interval } from '../../domain/market-data/interval.ts'
import type { EndpointKey } from '../../exchange/endpoints.ts'
import type { OfferedInterval } from '../../exchange/spot/spot-interval.ts'
import type { Listings } from '../listing-changes.ts'
import type { Market } from '../market-subscription.ts'

/** Budget of all polls together. */
export interface PollBudget {
  /** Weight of all calls of our IP address in any minute. */
  readonly weightPerMinute: number
  /** Fraction of it that is reserved for orders and the account. */
  readonly orderShare: number
  /** Weight per minute of account reads, taken from that reserve; default: 0. */
  readonly accountWeight?: number
  /** Earliest read of a kline after its close, ms. */
  readonly klineDelayMs: number
  /** Reads per second of klines that close together. */
  readonly callsPerSecond: number
  /** Usual duration of a call, ms; used for expectations only. */
  readonly callMs: number
  /** Calls that the exchange does not have; default: none. */
  readonly lacks?: readonly EndpointKey[]
  /** Intervals whose klines a market of the exchange does not have; default: none. */
  readonly lacksKlines?: Readonly<Record<Market, readonly Interval[]>>
}

/** Klines that a poll reads. */
export interface KlineWork {
  readonly type: 'klines'
  readonly market: Market
  readonly symbol: string
  readonly interval: Interval
  /** Interval of the exchange's klines that they are made of. */
  readonly part: OfferedInterval
  /** Open time of the latest kline already received, ms UTC. */
  readonly after?: number
}

/** Klines that a poll reads, with their start. */
export type StartedKlines = KlineWork & { readonly after: number }

/** Tickers that a poll reads. */
export interface TickerWork {
  readonly type: 'tickers'
  readonly market: Market
  /** Subscribed symbols. */
  readonly symbols: readonly string[]
  /** True reads every listed symbol, because that is cheaper. */
  readonly all: boolean
}

/** Data that a periodic poll reads for all its subscribers. */
export type PeriodicWork =
  | TickerWork
  | {
      readonly type: 'depth'
      readonly market: Market
      readonly symbol: string
      readonly levels: number
    }
  | { readonly type: 'trades'; readonly market: 'spot'; readonly symbol: string }
  | { readonly type: 'indexPrice'; readonly market: 'futures'; readonly symbol: string }
  | { readonly type: 'listings'; readonly market: Market; readonly known?: Listings }

export interface PeriodicTiming {
  readonly everyMs: number
  /** Subscribed period, before the budget stretched it. */
  readonly wantedMs: number
  /** First read, ms after the start. */
  readonly firstAfterMs: number
}

/** Expected age of the data. */
export interface Freshness {
  readonly p50Ms: number
  readonly p99Ms: number
}

interface Planned {
  /** Readable name: `1m klines of BTC/USDT`. */
  readonly name: string
  readonly endpoint: EndpointKey
  /** Weight of one call. */
  readonly weight: number
  readonly weightPerMinute: number
  readonly freshness: Freshness
}

/**
 * Reads klines after each close of their interval, and again until they are complete. Freshness is the time
 * from close to delivery if the first read is complete.
 */
export interface PlannedKlinePoll extends Planned {
  readonly type: 'klines'
  readonly work: KlineWork
  /** Delay of the first read after the close, ms. */
  readonly delayMs: number
}

/** Reads periodically. Freshness is the age of the latest datum at any time. */
export interface PlannedPeriodicPoll extends Planned {
  readonly type: 'periodic'
  readonly work: PeriodicWork
  readonly timing: PeriodicTiming
}

export type PlannedPoll = PlannedKlinePoll | PlannedPeriodicPoll

/** A poll that can run: the start of its klines is known. */
export type StartedPoll = (PlannedKlinePoll & { readonly work: StartedKlines }) | PlannedPeriodicPoll

/** Weight of all polls together. */
export interface PlannedWeight {
  /** Weight limit of our IP address. */
  readonly limit: number
  /** Part of the limit for market data. */
  readonly available: number
  /** Weight of account reads, taken from the part reserved for orders and the account. */
  readonly account: number
  /** Average. */
  readonly perMinute: number
  /** Worst minute: every kline closes in it, and half of them are read twice. */
  readonly worstMinute: number
  /** `perMinute` as a fraction of `limit`. */
  readonly share: number
}

/** Polls of all subscriptions, and their weight. Plain data. */
export interface PollPlan {
  readonly polls: readonly PlannedPoll[]
  /** Assumed duration of a call, ms. */
  readonly callMs: number
  readonly weight: PlannedWeight
  /** Largest factor by which periodic polls are slower than subscribed; 1 if the budget is enough. */
  readonly slowdown: number
  /**
   * Time from close to delivery over all klines, at best; `lastMs`: time until all klines that close together
   * are complete.
   */
  readonly klineDelivery: (Freshness & { readonly lastMs: number }) | undefined
}
