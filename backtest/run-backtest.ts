import type { Amount } from '../src/domain/amount.ts'
import type { Denial } from '../src/domain/denial.ts'
import type { Notice } from '../src/domain/engine-output.ts'
import type { Fill } from '../src/domain/fill.ts'
import type { Instrument } from '../src/domain/instrument.ts'
import { closeTimeOf, type Interval } from '../src/domain/interval.ts'
import type { Position } from '../src/domain/position.ts'
import type { RoundTrip } from '../src/domain/round-trip.ts'
import type { Size } from '../src/domain/signal.ts'
import { Engine } from '../src/engine/engine.ts'
import type { SizingReference } from '../src/engine/engine-options.ts'
import { type KlineColumns, klineAt } from '../src/klines/kline-columns.ts'
import { Ledger } from '../src/ledger/ledger.ts'
import type { Strategy } from '../src/strategy/define-strategy.ts'
import type { GivenParameter } from '../src/strategy/parameters.ts'
import type { FillSettings } from './fill-settings.ts'
import { Replay } from './replay.ts'

/** What becomes of a position that is open when the data ends. */
export type CloseAtEnd = 'no' | 'lastClose' | 'lastOpen'

/** Everything a backtest depends on. */
export interface BacktestOptions {
  readonly klines: KlineColumns
  readonly instrument: Instrument
  readonly interval: Interval
  readonly strategy: Strategy
  readonly parameters: Readonly<Record<string, GivenParameter>>
  /** Starting balances by asset. */
  readonly balances: ReadonlyMap<string, Amount>
  /** Size of signals that name none. */
  readonly size: Size
  readonly fills: FillSettings
  readonly sizingReference: SizingReference
  readonly closeAtEnd: CloseAtEnd
  /** Called every so many klines with the klines done; for progress only. */
  readonly onProgress?: (klinesDone: number) => void
}

/** What a backtest found. */
export interface BacktestResult {
  /** When each equity value was known: the klines' close times, ms UTC. */
  readonly equityTime: Float64Array
  /** Equity in quote at each kline's close. */
  readonly equity: Float64Array
  readonly fills: readonly Fill[]
  readonly roundTrips: readonly RoundTrip[]
  readonly denials: readonly Denial[]
  readonly signals: number
  /** What is still open at the end. */
  readonly openPosition: Position | undefined
  /** Orders still working at the end. */
  readonly workingOrders: number
  /** Balances at the end, by asset. */
  readonly balances: ReadonlyMap<string, Amount>
  /** Equity fell to zero, the position was closed and trading stopped. */
  readonly ruined: boolean
}

/** What is collected while the klines play. */
interface Collected {
  readonly fills: Fill[]
  readonly roundTrips: RoundTrip[]
  readonly denials: Denial[]
  signals: number
}

const PROGRESS_STEP = 16_384

/** Runs a strategy over klines. Throws `UsageError` for parameters it cannot use and `StrategyError` when it throws. */
export function runBacktest(options: BacktestOptions): BacktestResult {
  const { klines, instrument, interval, closeAtEnd } = options
  const ledger = new Ledger([instrument], options.balances)
  const collected: Collected = { fills: [], roundTrips: [], denials: [], signals: 0 }
  const replay = replayOf(options, ledger, notice => collect(collected, notice))
  const equityTime = new Float64Array(klines.length)
  const equity = new Float64Array(klines.length)
  let ruined = false
  for (let row = 0; row < klines.length; row++) {
    const kline = klineAt(klines, row)
    if (!ruined) {
      replay.next(kline)
      equity[row] = ledger.equityAt(instrument, kline.close)
      ruined = isRuined(instrument, equity[row] ?? 0)
      if (ruined) {
        replay.closePosition(kline, kline.close, 'ruin')
        equity[row] = 0
      }
    }
    equityTime[row] = closeTimeOf(kline.openTime, interval)
    if (row % PROGRESS_STEP === 0) options.onProgress?.(row)
  }
  if (klines.length > 0 && closeAtEnd !== 'no' && !ruined) {
    const last = klineAt(klines, klines.length - 1)
    replay.closePosition(last, closeAtEnd === 'lastOpen' ? last.open : last.close, 'endOfData')
    equity[klines.length - 1] = ledger.equityAt(instrument, last.close)
  }
  return {
    equityTime,
    equity,
    ...collected,
    openPosition: ledger.position(instrument.symbol),
    workingOrders: ledger.orders.working.size,
    balances: new Map(ledger.balances.entries()),
    ruined,
  }
}

function replayOf(options: BacktestOptions, ledger: Ledger, onNotice: (notice: Notice) => void): Replay {
  const { instrument, interval, strategy, parameters, size, sizingReference, fills } = options
  const desk = { strategy, parameters, symbol: instrument.symbol, interval, size }
  const engine = new Engine({ bot: 'backtest', ledger, desks: [desk], sizingReference })
  return new Replay({ engine, instrument, interval, fills, sizingReference, onNotice })
}

function collect(collected: Collected, notice: Notice): void {
  switch (notice.type) {
    case 'fillBooked':
      collected.fills.push(notice.fill)
      break
    case 'roundTripClosed':
      collected.roundTrips.push(notice.roundTrip)
      break
    case 'denied':
      collected.denials.push(notice.denial)
      break
    case 'signaled':
      collected.signals++
      break
    case 'strategyFailed':
      throw notice.error
    case 'orderChanged':
      break
  }
}

/** A margin account that owes more than it owns is closed by its exchange; a spot account cannot owe. */
function isRuined({ accountType }: Instrument, equity: number): boolean {
  return accountType === 'margin' && equity <= 0
}
