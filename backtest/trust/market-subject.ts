import type { BacktestOptions } from '../run-backtest.ts'
import type { CausalSubject } from './causal-subject.ts'
import { firstDifference } from './first-difference.ts'
import { withoutLaterDetail } from './other-detail.ts'
import { withOtherFuture } from './other-future.ts'
import { recordRun } from './run-record.ts'

/** A run of one market: its rows are its klines. */
export function marketSubject(backtest: BacktestOptions): CausalSubject {
  const { klines, interval, detail } = backtest
  return {
    record: () => recordRun(backtest),
    recordWith(future) {
      const other = withOtherFuture(klines, interval, future)
      const finer = detail && {
        ...detail,
        klines: withoutLaterDetail(detail.klines, other, interval, future.cut),
      }
      return recordRun({ ...backtest, klines: other, detail: finer })
    },
    difference: (before, after, cut) => firstDifference(before, after, { klines, interval, cut }),
  }
}
