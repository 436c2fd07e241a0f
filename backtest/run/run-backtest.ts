import type { Notice, TradingStateChanged } from '../../src/domain/events/engine-output.ts'
import type { FundingPayment } from '../../src/domain/events/funding-payment.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import type { Interval } from '../../src/domain/market-data/interval.ts'
import type { Amount } from '../../src/domain/numbers/amount.ts'
import type { Denial } from '../../src/domain/orders/denial.ts'
import type { Position } from '../../src/domain/position.ts'
import type { RoundTrip } from '../../src/domain/round-trip.ts'
import type { Size } from '../../src/domain/signal.ts'
import type { SizingReference } from '../../src/engine/engine-options.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import type { AccountState, OpeningBalances } from '../../src/ledger/account-balances.ts'
import type { RiskRules } from '../../src/risk/risk-rules.ts'
import type { Strategy } from '../../src/strategy/define-strategy.ts'
import type { GivenParameter } from '../../src/strategy/parameters.ts'
import type { SimulatedFill } from '../fills/simulated-fill.ts'
import type { FuturesData } from '../futures/futures-data.ts'
import type { MarginFigures } from '../futures/margin-use.ts'
import type { TimedLiquidation } from '../futures/timed-liquidation.ts'
import type { FillSettings } from '../models/fill-settings.ts'
import type { DenialCounts } from '../results/kept-denials.ts'
import type { ProfitSources } from '../results/profit-sources.ts'
import type { TickData } from '../ticks/tick-data.ts'
import type { DetailKlines } from './detail-klines.ts'
import { type FeedData, isAlone } from './feed-data.ts'
import { atOnce, type Pausing } from './pausing.ts'
import type { Reveal } from './reveal.ts'
import { pausingMarket } from './run-market.ts'
import { pausingMarkets } from './run-markets.ts'

/** What becomes of a position that is open when the data ends. */
export type CloseAtEnd = 'no' | 'lastClose' | 'lastOpen'

/** An instrument that a strategy knows by a role, and the klines of the strategy's interval that it is traded on. */
export interface RoleMarket {
  readonly klines: KlineColumns
  readonly instrument: Instrument
  /** Size of signals that name none; default: that of the strategy. */
  readonly size?: Size | undefined
  /** As of a market. */
  readonly detail?: DetailKlines | undefined
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
  /** Recorded trades that tell what happened inside the klines, which are made of them. */
  readonly ticks?: TickData | undefined
  /** On a futures account: what is known of the contract beside its klines. */
  readonly futures?: FuturesData | undefined
  /** The instruments of the strategy's roles: one for each. */
  readonly roles?: Readonly<Record<string, RoleMarket>> | undefined
  /** What its feeds show, by name; those of klines of its own interval need nothing. */
  readonly feeds?: Readonly<Record<string, FeedData>> | undefined
}

/** What a backtest depends on beside its markets. */
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
}

/** Everything a backtest of one market depends on. */
export interface BacktestOptions extends BacktestMarket, BacktestAccount {}

/** Everything a backtest of several markets in one ledger depends on: many instruments, intervals and strategies. */
export interface MarketsBacktestOptions extends BacktestAccount {
  /** At least one, all with the same quote asset; of those that decide at the same time, the first decides first. */
  readonly markets: readonly BacktestMarket[]
  /** Called with each time at which klines closed (ms UTC), once all of them have and nothing else has happened since. */
  readonly onClosed?: ((time: number) => void) | undefined
}

/** What a backtest found. */
export interface BacktestResult {
  /** When each equity value was known: every time at which a kline of any market closed, ms UTC, ascending. */
  readonly equityTime: Float64Array
  /**
   * Equity in quote at each of these times, once every kline that closes then has closed: the quote balance, and the base of
   * each instrument at the close of its latest kline (before its first one, at the open of that).
   */
  readonly equity: Float64Array
  /** In order of time, each with the rule it follows from. */
  readonly fills: readonly SimulatedFill[]
  /** In order of exit. */
  readonly roundTrips: readonly RoundTrip[]
  /**
   * Which of `roundTrips` (by index, ascending) depend on what is assumed of the path inside a kline, whatever is assumed:
   * their exit shared its kline with another exit of the same entry that the kline also reaches, or with an entry that may
   * have come after it; their trailing stop traded on a kline that moved it; the kline of their entry also reached another entry of its group; or, on the kline of their entry, a protective
   * order or the pull-back of a stop-limit order may or may not have traded. With `detail`, the finer klines count. Not
   * counted is what follows from such a round trip later, nor which of several entries on one kline came first.
   */
  readonly ambiguousRoundTrips: readonly number[]
  /** The first 1,000, in order of time. */
  readonly denials: readonly Denial[]
  /** How often each rule said no. */
  readonly denialCounts: DenialCounts
  /** Every change of what holds trading back, in order. */
  readonly tradingChanges: readonly TradingStateChanged[]
  /** Why strategies had nothing more to decide, where they said so; sentences. */
  readonly endings: readonly string[]
  readonly signals: number
  /** Orders placed, protective ones apart: what risk denied is none of them. */
  readonly orders: number
  /** What is still open at the end, in the order of the markets. */
  readonly openPositions: readonly Position[]
  /** Orders still working at the end. */
  readonly workingOrders: number
  /** Balances at the end, by asset; those of all accounts together. */
  readonly balances: ReadonlyMap<string, Amount>
  /** The same for each account, where there are several. */
  readonly accounts: readonly AccountState[] | undefined
  /** Equity fell to zero, the position was closed and trading stopped. */
  readonly ruined: boolean
  /** Each payment of funding, in order of time. */
  readonly funding: readonly FundingPayment[]
  /** What the exchange took over, in order of time. */
  readonly liquidations: readonly TimedLiquidation[]
  /** Of a futures account. */
  readonly margin: MarginFigures | undefined
  /** Where the change of equity came from, exactly. */
  readonly profit: ProfitSources
}

/**
 * Runs strategies over klines, on one account. Throws `UsageError` for parameters that cannot be used and for markets that do
 * not fit together, `StrategyError` when a strategy throws.
 */
export function runBacktest(options: BacktestOptions | MarketsBacktestOptions): BacktestResult {
  return atOnce(pausingBacktest(options))
}

/** The same, with pauses. */
export function pausingBacktest(options: BacktestOptions | MarketsBacktestOptions): Pausing<BacktestResult> {
  if (!('markets' in options))
    return isAlone(options) ? pausingMarket(options) : pausingMarkets({ ...options, markets: [options] })
  const { markets, onClosed, ...account } = options
  const [only, ...others] = markets
  return only !== undefined && others.length === 0 && onClosed === undefined && isAlone(only)
    ? pausingMarket({ ...account, ...only })
    : pausingMarkets(options)
}
