import { columnsFrom, type KlineColumns, klinesIn } from '../../src/klines/kline-columns.ts'
import { firstRowAtOrAfter } from '../../src/klines/row-search.ts'
import { sliceRows } from '../../src/klines/slice-klines.ts'
import type { BacktestOptions } from '../run/backtest-options.ts'
import { klinesOfTrades } from '../ticks/klines-of-trades.ts'
import type { TickData } from '../ticks/tick-data.ts'
import type { CausalSubject } from './causality/causal-subject.ts'
import { HiddenFuture } from './causality/hidden-future.ts'
import { withoutLaterDetail } from './causality/other-detail.ts'
import { type OtherFuture, withOtherFuture } from './causality/other-future.ts'
import { withOtherTicks } from './causality/other-ticks.ts'
import { firstDifference } from './first-difference.ts'
import { recordRun } from './run-record.ts'

/** The klines up to the cut as they were, and those after it of other trades: the first trade of a span may be within a kline. */
function otherKlines(
  { klines, interval }: Pick<BacktestOptions, 'klines' | 'interval'>,
  { trades }: TickData,
  { cut }: OtherFuture,
): KlineColumns {
  const made = klinesOfTrades(trades, interval)
  const past = klinesIn(sliceRows(klines, 0, cut + 1))
  const after = firstRowAtOrAfter(made.openTime, klines.openTime[cut + 1] ?? Number.POSITIVE_INFINITY)
  return columnsFrom([...past, ...klinesIn(sliceRows(made, after, made.length))])
}

/** A run of one market: its rows are its klines. */
export function marketSubject(backtest: BacktestOptions): CausalSubject {
  const { klines, interval, detail, ticks } = backtest
  return {
    record: () => recordRun(backtest),
    recordWith(future) {
      if (ticks !== undefined) {
        const others = withOtherTicks(ticks, klines, interval, future)
        return recordRun({ ...backtest, ticks: others, klines: otherKlines(backtest, others, future) })
      }
      const other = withOtherFuture(klines, interval, future)
      const finer = detail && {
        ...detail,
        klines: withoutLaterDetail(detail.klines, other, interval, future.cut),
      }
      return recordRun({ ...backtest, klines: other, detail: finer })
    },
    recordHidden(hiding) {
      const reveal = new HiddenFuture(hiding)
      return recordRun({ ...backtest, klines: reveal.hide(klines, interval), reveal })
    },
    difference: (before, after, cut) => firstDifference(before, after, { klines, interval, cut }),
  }
}
