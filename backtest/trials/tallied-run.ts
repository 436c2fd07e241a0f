import type { Notice } from '../../src/domain/events/engine-output.ts'
import { type Amount, add, amountToNumber, ZERO } from '../../src/domain/numbers/amount.ts'
import type { RoundTrip } from '../../src/domain/round-trip.ts'
import { firstRowAfter } from '../../src/klines/row-search.ts'
import { dailySeriesOf } from '../metrics/returns/daily-series.ts'
import { drawdownsOf } from '../metrics/returns/drawdown.ts'
import { type EquityCurve, endOf } from '../metrics/returns/equity-curve.ts'
import { startEquityOf } from '../results/start-equity.ts'
import { AccountCurve } from '../run/account-curve.ts'
import type { BacktestOptions } from '../run/backtest-options.ts'
import { playThrough } from '../run/play-markets.ts'
import { playedMarketsOf } from '../run/played-markets-of.ts'
import type { Resumable } from '../run/resumable.ts'
import { openPositionsOf, startedRun } from '../run/run-markets.ts'
import { StretchCurve } from '../run/stretch-curve.ts'
import { EquityFold, type FoldedEquity } from './equity-fold.ts'
import { longestOpen } from './longest-open.ts'
import type { SpanDays } from './span-days.ts'

/** Figures of a run that a trial needs. Money in quote. */
export interface TalliedRun extends FoldedEquity {
  readonly fills: number
  readonly roundTrips: number
  readonly wins: number
  readonly losses: number
  /** Sum of the profits above 0, and of those below. */
  readonly profit: number
  readonly loss: number
  readonly longestDurationMs: number
  /** Time since the entry of the oldest position that is still open at the end; 0 without one. */
  readonly openForMs: number
}

/** Takes the figures of a run as they come. */
export interface TallyOptions {
  /** Klines before the span. */
  readonly before: number
  readonly days: SpanDays
  /** Equity of the rows just played is written here; at least as long as the klines. Runs may take turns with the same. */
  readonly scratch: Float64Array
}

/** Plays a backtest by the one runner, and keeps only what a trial needs instead of its fills, round trips and equity. */
export function* resumableTally(backtest: BacktestOptions, tally: TallyOptions): Resumable<TalliedRun> {
  const options = { ...backtest, markets: [backtest] }
  let fills = 0
  const trips = new TripTally()
  const run = startedRun(options, {
    onNotice: notice => trips.take(notice),
    onFill: () => {
      fills++
    },
  })
  const { playback, ledger, quote } = run
  const { days, before, scratch } = tally
  const startEquity = startEquityOf(backtest.balances, playedMarketsOf(backtest))
  let folded: FoldedEquity
  if (playback.type === 'moments') {
    const curve = new AccountCurve(playback, options, ledger, quote)
    yield* playThrough(playback, () => curve.record())
    folded = foldedCurve(spanOf(curve, startEquity, days.startTime))
  } else {
    const [only] = playback.traded
    const curve = new StretchCurve(only, ledger, backtest.closeAtEnd, scratch)
    const fold = new EquityFold(days, before, startEquity)
    yield* playThrough(playback, () => {
      const goesOn = curve.record()
      fold.take(scratch, only.played)
      if (curve.isRuined) fold.end(only.klines.length)
      return goesOn
    })
    folded = fold.result
  }
  return {
    ...folded,
    ...trips.result,
    fills,
    openForMs: longestOpen(openPositionsOf(run), days.endTime),
  }
}

/** The part of a curve that begins at a time, ms UTC. */
function spanOf({ times, equity }: AccountCurve, startEquity: number, startTime: number): EquityCurve {
  const time = times()
  const first = firstRowAfter(time, startTime)
  return {
    startTime,
    startEquity: equity[first - 1] ?? startEquity,
    time: time.subarray(first),
    equity: equity.subarray(first),
  }
}

function foldedCurve(curve: EquityCurve): FoldedEquity {
  return {
    series: dailySeriesOf(curve),
    maxDrawdown: drawdownsOf(curve).fraction,
    endEquity: endOf(curve).equity,
  }
}

/** Adds up round trips. */
class TripTally {
  #count = 0
  #wins = 0
  #losses = 0
  #profit: Amount = ZERO
  #loss: Amount = ZERO
  #longestMs = 0

  /** Takes a notice of the engine; throws the error of a strategy that failed. */
  take(notice: Notice): void {
    if (notice.type === 'roundTripClosed') this.#add(notice.roundTrip)
    else if (notice.type === 'strategyFailed') throw notice.error
  }

  get result() {
    return {
      roundTrips: this.#count,
      wins: this.#wins,
      losses: this.#losses,
      profit: amountToNumber(this.#profit),
      loss: amountToNumber(this.#loss),
      longestDurationMs: this.#longestMs,
    }
  }

  #add({ pnl, entryTime, exitTime }: RoundTrip): void {
    this.#count++
    if (pnl > 0n) {
      this.#wins++
      this.#profit = add(this.#profit, pnl)
    } else if (pnl < 0n) {
      this.#losses++
      this.#loss = add(this.#loss, pnl)
    }
    this.#longestMs = Math.max(this.#longestMs, exitTime - entryTime)
  }
}
