import type { Amount } from '../src/domain/amount.ts'
import type { Denial } from '../src/domain/denial.ts'
import type { TradingStateChanged } from '../src/domain/engine-output.ts'
import type { FundingPayment } from '../src/domain/funding-payment.ts'
import type { Instrument } from '../src/domain/instrument.ts'
import { closeTimeOf, type Interval } from '../src/domain/interval.ts'
import type { Position } from '../src/domain/position.ts'
import type { RoundTrip } from '../src/domain/round-trip.ts'
import type { Size } from '../src/domain/signal.ts'
import { DeskBooks } from '../src/engine/desk-books.ts'
import { Engine } from '../src/engine/engine.ts'
import type { SizingReference } from '../src/engine/engine-options.ts'
import { type KlineColumns, klineAt } from '../src/klines/kline-columns.ts'
import { Ledger } from '../src/ledger/ledger.ts'
import type { RiskRules } from '../src/risk/risk-rules.ts'
import type { Strategy } from '../src/strategy/define-strategy.ts'
import type { GivenParameter } from '../src/strategy/parameters.ts'
import { checkPath } from './check-path.ts'
import { type Collected, collect, nothingCollected } from './collected.ts'
import type { DetailKlines } from './detail-klines.ts'
import type { FillSettings } from './fill-settings.ts'
import type { FuturesData } from './futures/futures-data.ts'
import { type MarginFigures, MarginUse } from './futures/margin-use.ts'
import { markCloses } from './futures/mark-klines.ts'
import type { TimedLiquidation } from './futures/timed-liquidation.ts'
import { BLOCK, PROGRESS_STEP } from './kline-blocks.ts'
import { atOnce, type Pausing } from './pausing.ts'
import { Replay } from './replay.ts'
import { runMarkets } from './run-markets.ts'
import type { SimulatedFill } from './simulated-fill.ts'

/** What becomes of a position that is open when the data ends. */
export type CloseAtEnd = 'no' | 'lastClose' | 'lastOpen'

/** A strategy on one market, and the klines that it sees and trades on. */
export interface BacktestMarket {
  readonly klines: KlineColumns
  readonly instrument: Instrument
  readonly interval: Interval
  readonly strategy: Strategy
  readonly parameters: Readonly<Record<string, GivenParameter>>
  /** Size of signals that name none. */
  readonly size: Size
  /** Klines of a finer interval, for the path `detail` and only for that. */
  readonly detail?: DetailKlines | undefined
  /** On a futures account: what is known of the contract beside its klines. */
  readonly futures?: FuturesData | undefined
}

/** What a backtest depends on beside its markets. */
export interface BacktestAccount {
  /** Starting balances by asset. */
  readonly balances: ReadonlyMap<string, Amount>
  readonly fills: FillSettings
  /** Limits and protections of the account; default: none. */
  readonly risk?: RiskRules | undefined
  readonly sizingReference: SizingReference
  readonly closeAtEnd: CloseAtEnd
  /** Called every so many klines with the klines done; for progress only. */
  readonly onProgress?: (klinesDone: number) => void
}

/** Everything a backtest of one market depends on. */
export interface BacktestOptions extends BacktestMarket, BacktestAccount {}

/** Everything a backtest of several markets on one account depends on: many instruments, intervals and strategies. */
export interface MarketsBacktestOptions extends BacktestAccount {
  /** At least one, all with the same quote asset; of those that decide at the same time, the first decides first. */
  readonly markets: readonly BacktestMarket[]
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
  readonly denials: readonly Denial[]
  /** Every change of what holds trading back, in order. */
  readonly tradingChanges: readonly TradingStateChanged[]
  readonly signals: number
  /** What is still open at the end, in the order of the markets. */
  readonly openPositions: readonly Position[]
  /** Orders still working at the end. */
  readonly workingOrders: number
  /** Balances at the end, by asset. */
  readonly balances: ReadonlyMap<string, Amount>
  /** Equity fell to zero, the position was closed and trading stopped. */
  readonly ruined: boolean
  /** Each payment of funding, in order of time. */
  readonly funding: readonly FundingPayment[]
  /** What the exchange took over, in order of time. */
  readonly liquidations: readonly TimedLiquidation[]
  /** Of a futures account. */
  readonly margin: MarginFigures | undefined
}

/**
 * Runs strategies over klines, on one account. Throws `UsageError` for parameters that cannot be used and for markets that do
 * not fit together, `StrategyError` when a strategy throws.
 */
export function runBacktest(options: BacktestOptions | MarketsBacktestOptions): BacktestResult {
  if (!('markets' in options)) return atOnce(pausingBacktest(options))
  const { markets, ...account } = options
  const [only, ...others] = markets
  return only !== undefined && others.length === 0
    ? atOnce(pausingBacktest({ ...account, ...only }))
    : runMarkets(options)
}

/** The same of one market, with pauses. */
export function* pausingBacktest(options: BacktestOptions): Pausing<BacktestResult> {
  const { klines, instrument, closeAtEnd } = options
  checkPath(options.fills, options)
  const ledger = new Ledger([instrument], options.balances)
  const collected = nothingCollected()
  const replay = replayOf(options, ledger, collected)
  const equity = new Float64Array(klines.length)
  const equityTime = new Float64Array(klines.length)
  for (let from = 0; from < klines.length; from += BLOCK) {
    noteCloseTimes(options, from, Math.min(from + BLOCK, klines.length), equityTime)
  }
  const use = instrument.futures && new MarginUse(instrument.quote, ledger)
  const ruinedAt = yield* play(options, replay, ledger, equity, use)
  const ruined = ruinedAt < klines.length
  if (ruined) {
    replay.closePosition(klineAt(klines, ruinedAt), klines.close[ruinedAt] as number, 'ruin') // a row
    equity[ruinedAt] = 0
  } else if (klines.length > 0 && closeAtEnd !== 'no') {
    const last = klineAt(klines, klines.length - 1)
    replay.closePosition(last, closeAtEnd === 'lastOpen' ? last.open : last.close, 'endOfData')
    equity[klines.length - 1] = ledger.equityAt(instrument, last.close)
  }
  const { all } = new DeskBooks(instrument)
  return {
    equityTime,
    equity,
    ...collected,
    openPositions: all.map(book => ledger.position(book)).filter(position => position !== undefined),
    workingOrders: ledger.orders.working.length,
    balances: new Map(ledger.balances.entries()),
    ruined,
    margin: use?.figures,
  }
}

/** Plays all klines and notes the equity at each close; returns the row at which the account was ruined, or how many there are. */
function* play(
  options: BacktestOptions,
  replay: Replay,
  ledger: Ledger,
  equity: Float64Array,
  use: MarginUse | undefined,
): Pausing<number> {
  const { klines, interval, futures, onProgress } = options
  const close = futures?.mark === undefined ? klines.close : markCloses(klines, interval, futures.mark)
  for (let from = 0; from < klines.length; from += BLOCK) {
    if (from % PROGRESS_STEP === 0) onProgress?.(from)
    if (from > 0) yield BLOCK
    const to = Math.min(from + BLOCK, klines.length)
    replay.announce(klines, from, to)
    const played = playBlock(options, from, to, close, replay, ledger, equity, use)
    if (played < to) return played
  }
  return klines.length
}

function playBlock(
  { klines, instrument }: BacktestOptions,
  from: number,
  to: number,
  close: Float64Array,
  replay: Replay,
  ledger: Ledger,
  equity: Float64Array,
  use: MarginUse | undefined,
): number {
  // A margin account that owes more than it owns is closed by its exchange; a spot account cannot owe.
  const canOwe = instrument.accountType === 'margin'
  let row = from
  while (row < to) {
    // What can owe on any kline must not see the one after it; contracts are only taken over on the first of a stretch.
    const next = replay.playRows(klines, row, canOwe ? row + 1 : to)
    ledger.noteEquity(instrument, close, row, next, equity)
    use?.noteRows(close, equity, row, next)
    if ((canOwe || use !== undefined) && (equity[row] as number) <= 0) return row // played, hence a row
    row = next
  }
  return to
}

/** Writes the close times of the rows `from` to `to - 1`: by the block, since one loop over a year would mostly run before it is compiled. */
function noteCloseTimes(
  { klines: { openTime }, interval }: BacktestOptions,
  from: number,
  to: number,
  times: Float64Array,
): void {
  for (let row = from; row < to; row++) times[row] = closeTimeOf(openTime[row] as number, interval) // rows exist
}

function replayOf(options: BacktestOptions, ledger: Ledger, collected: Collected): Replay {
  const { instrument, interval, strategy, parameters, size, sizingReference, fills, detail, futures, risk } =
    options
  const desk = { strategy, parameters, symbol: instrument.symbol, interval, size }
  const engine = new Engine({ bot: 'backtest', ledger, desks: [desk], sizingReference, risk })
  const replay: Replay = new Replay({
    engine,
    instrument,
    interval,
    fills,
    detail,
    futures,
    sizingReference,
    onNotice: notice => collect(collected, notice, replay),
    onFill: fill => collected.fills.push(fill),
  })
  return replay
}
