import type { ScopedHold } from './trading-hold.ts'

/** What can be commanded of a running bot; `kill` cancels entries, flattens and halts. */
export type TradingCommand = 'pause' | 'resume' | 'reduce' | 'flatten' | 'halt' | 'kill'

/** Somebody commands how to go on: the person in charge, or Sluice that found something nobody can explain. */
export interface TradingCommanded {
  readonly type: 'tradingCommanded'
  readonly command: TradingCommand
  readonly by: 'operator' | 'invariant'
  /** One instrument; without it the whole account. */
  readonly symbol?: string | undefined
  /** End of a pause, ms UTC. */
  readonly until?: number | undefined
  /** A whole sentence. */
  readonly reason: string
  /** ms UTC. */
  readonly time: number
}

/** What held trading back when the bot ended the last time. */
export interface TradingRestored {
  readonly type: 'tradingRestored'
  readonly holds: readonly ScopedHold[]
  /** ms UTC. */
  readonly time: number
}

/** Nothing new has come of a stream of an instrument's market data for too long. */
export interface DataStale {
  readonly type: 'dataStale'
  readonly symbol: string
  /** Its name: one instrument may have several. */
  readonly stream: string
  /** Since its last datum, ms. */
  readonly ageMs: number
  /** ms UTC. */
  readonly time: number
}

/** A stale stream has brought something again. */
export interface DataFresh {
  readonly type: 'dataFresh'
  readonly symbol: string
  readonly stream: string
  /** ms UTC. */
  readonly time: number
}

/** Klines are out of reach for good: the indicators have a gap. */
export interface KlinesMissed {
  readonly type: 'klinesMissed'
  readonly symbol: string
  /** Open time of the first one that is missing, ms UTC. */
  readonly from: number
  /** Open time of the next one that there is, ms UTC. */
  readonly until: number
  /** ms UTC. */
  readonly time: number
}

/** How far our idea of the exchange's time may be off. */
export interface ClockMeasured {
  readonly type: 'clockMeasured'
  readonly uncertaintyMs: number
  /** ms UTC. */
  readonly time: number
}

/** The distance from the best bid to the best ask. */
export interface SpreadSeen {
  readonly type: 'spreadSeen'
  readonly symbol: string
  /** A fraction of the middle; infinite where a side of the book is empty. */
  readonly spreadRate: number
  /** ms UTC. */
  readonly time: number
}

/** The exchange began or ceased to let an instrument be traded. */
export interface InstrumentStatusSeen {
  readonly type: 'instrumentStatusSeen'
  readonly symbol: string
  readonly isTradable: boolean
  /** ms UTC. */
  readonly time: number
}

/** What only risk has to know. */
export type TradingEvent =
  | TradingCommanded
  | TradingRestored
  | DataStale
  | DataFresh
  | KlinesMissed
  | ClockMeasured
  | SpreadSeen
  | InstrumentStatusSeen
