import type { Notice } from '../../src/domain/events/engine-output.ts'
import type { Explain } from '../../src/domain/events/explanation.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import type { Interval } from '../../src/domain/market-data/interval.ts'
import type { MarketDataEvent } from '../../src/domain/market-data/market-data.ts'
import type { Size } from '../../src/domain/signal.ts'
import type { SizingReference } from '../../src/engine/engine-options.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import type { OpeningBalances } from '../../src/ledger/account-balances.ts'
import type { RiskRules } from '../../src/risk/risk-rules.ts'
import type { Strategy } from '../../src/strategy/define-strategy.ts'
import type { GivenParameter } from '../../src/strategy/parameters.ts'
import type { DetailKlines } from '../fills/detail-klines.ts'
import type { FuturesData } from '../futures/futures-data.ts'
import type { FillSettings } from '../models/fill-settings.ts'
import type { TickData } from '../ticks/tick-data.ts'
import type { Reveal } from './reveal.ts'

/** Treatment of a position that is open when the data ends. */
export type CloseAtEnd = 'no' | 'lastClose' | 'lastOpen'

/** The instrument of a role of a strategy, and its klines of the strategy's interval. */
export interface RoleMarket {
  readonly klines: KlineColumns
  readonly instrument: Instrument
  /** Size of signals that name none; default: that of the strategy. */
  readonly size?: Size | undefined
  /** As of a market. */
  readonly detail?: DetailKlines | undefined
  readonly ticks?: TickData | undefined
  readonly futures?: FuturesData | undefined
}

/** A strategy on one market, and the klines that it sees and trades on. */
export interface BacktestMarket {
  readonly klines: KlineColumns
  readonly instrument: Instrument
  readonly interval: Interval
  readonly strategy: Strategy
  readonly parameters: Readonly<Record<string, GivenParameter>>
  /** Size of signals that name none. */
  readonly size: Size
  /** Limits and protections of the strategy, beside those of the account; default: none. */
  readonly strategyRisk?: RiskRules | undefined
  /** Klines of a finer interval, for the path `detail` and only for that. */
  readonly detail?: DetailKlines | undefined
  /** Recorded trades inside the klines, which are made of them. */
  readonly ticks?: TickData | undefined
  /** On a futures account: data of the contract besides its klines. */
  readonly futures?: FuturesData | undefined
  /** The instruments of the strategy's roles: one for each. */
  readonly roles?: Readonly<Record<string, RoleMarket>> | undefined
  /** Data of its feeds, by name; feeds of klines of its own interval need none. */
  readonly feeds?: Readonly<Record<string, FeedData>> | undefined
}

/** Settings of a backtest besides its markets. */
export interface BacktestAccount {
  /** Starting balances by asset; where instruments are on several accounts, by account. */
  readonly balances: OpeningBalances
  readonly fills: FillSettings
  /** Limits and protections of the account; default: none. */
  readonly risk?: RiskRules | undefined
  readonly sizingReference: SizingReference
  readonly closeAtEnd: CloseAtEnd
  /** Shows the klines of the markets, of their roles and of feeds as they are needed; by default they are there from the start. */
  readonly reveal?: Reveal | undefined
  /** Called with everything that the engine reports, in order. */
  readonly onNotice?: ((notice: Notice) => void) | undefined
  /** Takes what each decision follows from, and what strategies plot; see `Engine.explainTo`. */
  readonly explain?: Explain | undefined
}

/** Everything a backtest of one market depends on. */
export interface BacktestOptions extends BacktestMarket, BacktestAccount {}

/** Everything a backtest of several markets in one ledger depends on: many instruments, intervals and strategies. */
export interface MarketsBacktestOptions extends BacktestAccount {
  /**
   * At least one, all with the same quote asset; of simultaneous decisions, the first market's comes first.
   */
  readonly markets: readonly BacktestMarket[]
  /** Called with each time at which klines closed (ms UTC), right after all of them have. */
  readonly onClosed?: ((time: number) => void) | undefined
}

/**
 * Data of a feed in a backtest: closed klines, or recorded data, ascending by time. Data before the first
 * kline of its strategy only warms up indicators.
 */
export type FeedData =
  | { readonly type: 'klines'; readonly klines: KlineColumns }
  | { readonly type: 'data'; readonly events: readonly MarketDataEvent[] }
