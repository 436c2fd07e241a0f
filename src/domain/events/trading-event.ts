import type { ScopedHold } from './trading-hold.ts'

/** Command to a running bot; `kill` cancels entries, flattens and halts. */
export type TradingCommand = 'pause' | 'resume' | 'reduce' | 'flatten' | 'halt' | 'kill'

/** A trading command, by the operator or because of a failed invariant. */
export interface TradingCommanded {
  readonly type: 'tradingCommanded'
  readonly command: TradingCommand
  readonly by: 'operator' | 'invariant'
  /** Instrument; default: the whole account. */
  readonly symbol?: string | undefined
  /** End of a pause, ms UTC. */
  readonly until?: number | undefined
  /** Reason, a whole sentence. */
  readonly reason: string
  /** With `halt` by an invariant: reason of its present hold, which this one replaces. */
  readonly renews?: string | undefined
  /** ms UTC. */
  readonly time: number
}

/** Holds on trading from the end of the previous run. */
export interface TradingRestored {
  readonly type: 'tradingRestored'
  readonly holds: readonly ScopedHold[]
  /** ms UTC. */
  readonly time: number
}

/** A stream of an instrument's market data brought no data for too long. */
export interface DataStale {
  readonly type: 'dataStale'
  readonly symbol: string
  /** Name of the stream: an instrument may have several. */
  readonly stream: string
  /** Age of its last datum, ms. */
  readonly ageMs: number
  /** ms UTC. */
  readonly time: number
}

/** A stale stream brought data again. */
export interface DataFresh {
  readonly type: 'dataFresh'
  readonly symbol: string
  readonly stream: string
  /** ms UTC. */
  readonly time: number
}

/** Klines are permanently out of reach: the indicators have a gap. */
export interface KlinesMissed {
  readonly type: 'klinesMissed'
  readonly symbol: string
  /** Open time of the first missing kline, ms UTC. */
  readonly from: number
  /** Open time of the next existing kline, ms UTC. */
  readonly until: number
  /** ms UTC. */
  readonly time: number
}

/** Largest error of our estimate of exchange time, ms. */
export interface ClockMeasured {
  readonly type: 'clockMeasured'
  readonly uncertaintyMs: number
  /** ms UTC. */
  readonly time: number
}

/** Spread between the best bid and the best ask. */
export interface SpreadSeen {
  readonly type: 'spreadSeen'
  readonly symbol: string
  /** Fraction of the mid price; infinite if a side of the book is empty. */
  readonly spreadRate: number
  /** ms UTC. */
  readonly time: number
}

/** The exchange started or stopped trading of an instrument. */
export interface InstrumentStatusSeen {
  readonly type: 'instrumentStatusSeen'
  readonly symbol: string
  readonly isTradable: boolean
  /** ms UTC. */
  readonly time: number
}

/** Events for risk only. */
export type TradingEvent =
  | TradingCommanded
  | TradingRestored
  | DataStale
  | DataFresh
  | KlinesMissed
  | ClockMeasured
  | SpreadSeen
  | InstrumentStatusSeen
