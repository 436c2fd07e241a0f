import type { Interval } from '../../domain/market-data/interval.ts'
import type { EndpointKey } from '../../exchange/endpoints.ts'
import type { Market } from '../delivery/market-subscription.ts'
import type { Listings } from '../sequences/listing-changes.ts'

/** What all polls together may use up. */
export interface PollBudget {
  /** Weight of all calls of our address in any minute. */
  readonly weightPerMinute: number
  /** Part of it that market data leave alone, for orders and the account; a fraction. */
  readonly orderShare: number
  /** What reading the account takes in any minute of what is left for it; default: nothing. */
  readonly accountWeight?: number
  /** How long after its close a kline is asked for at the earliest, ms. */
  readonly klineDelayMs: number
  /** How fast the klines that close together are asked for. */
  readonly callsPerSecond: number
  /** How long a call usually takes, ms; only for what to expect. */
  readonly callMs: number
}

/** What a poll for klines reads. */
export interface KlineWork {
  readonly type: 'klines'
  readonly market: Market
  readonly symbol: string
  readonly interval: Interval
  /** Open time of the latest kline already seen, ms UTC. */
  readonly after?: number
}

/** What a poll for klines reads, once it is known where it begins. */
export type StartedKlines = KlineWork & { readonly after: number }

/** What a poll for tickers reads. */
export interface TickerWork {
  readonly type: 'tickers'
  readonly market: Market
  /** Those that somebody wants. */
  readonly symbols: readonly string[]
  /** Asks for every listed one, because that is cheaper. */
  readonly all: boolean
}

/** What a periodic poll reads, for everybody who wants any of it. */
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

/** When a periodic poll reads. */
export interface PeriodicTiming {
  readonly everyMs: number
  /** What was asked for, before the budget made it slower. */
  readonly wantedMs: number
  /** The first read, from the beginning. */
  readonly firstAfterMs: number
}

/** How old what is known will be. */
export interface Freshness {
  readonly p50Ms: number
  readonly p99Ms: number
}

interface Planned {
  /** In words: `1m klines of BTC/USDT`. */
  readonly name: string
  readonly endpoint: EndpointKey
  /** Of one call. */
  readonly weight: number
  readonly weightPerMinute: number
  readonly freshness: Freshness
}

/** Reads klines after each close of their interval, and again until they are complete. Its freshness is the time from the close to the delivery, where the first read finds them so. */
export interface PlannedKlinePoll extends Planned {
  readonly type: 'klines'
  readonly work: KlineWork
  /** How long after the close, ms. */
  readonly delayMs: number
}

/** Reads periodically. Its freshness is the age of the latest datum at any moment. */
export interface PlannedPeriodicPoll extends Planned {
  readonly type: 'periodic'
  readonly work: PeriodicWork
  readonly timing: PeriodicTiming
}

/** One poll. */
export type PlannedPoll = PlannedKlinePoll | PlannedPeriodicPoll

/** A poll that can run: it is known where its klines begin. */
export type StartedPoll = (PlannedKlinePoll & { readonly work: StartedKlines }) | PlannedPeriodicPoll

/** What the polls come to. */
export interface PlannedWeight {
  /** What our address has. */
  readonly limit: number
  /** What of that market data may use. */
  readonly available: number
  /** What reading the account takes of the rest. */
  readonly account: number
  /** On average. */
  readonly perMinute: number
  /** In the worst minute: every kline closes in it, and half of them are asked for twice. */
  readonly worstMinute: number
  /** `perMinute` as a fraction of `limit`. */
  readonly share: number
}

/** All polls for all subscriptions, and what they cost. Plain data. */
export interface PollPlan {
  readonly polls: readonly PlannedPoll[]
  /** How long a call is taken to last, ms. */
  readonly callMs: number
  readonly weight: PlannedWeight
  /** How much slower than wanted the periodic polls are, at most; 1 where the budget is enough. */
  readonly slowdown: number
  /** From close to delivery over all klines, the best that this plan can do; `lastMs`: when those that close together are complete. */
  readonly klineDelivery: (Freshness & { readonly lastMs: number }) | undefined
}
