import type { BacktestOptions } from '../run/backtest-options.ts'
import { klinesOfTrades } from '../ticks/klines-of-trades.ts'
import type { CausalSubject } from './causality/causal-subject.ts'
import { HiddenFuture } from './causality/hidden-future.ts'
import { withoutLaterDetail } from './causality/other-detail.ts'
import { withOtherFuture } from './causality/other-future.ts'
import { withOtherTicks } from './causality/other-ticks.ts'
import { firstDifference } from './first-difference.ts'
import { recordRun } from './run-record.ts'

/** A run of one market: its rows are its klines. */
export function marketSubject(backtest: BacktestOptions): CausalSubject {
  const { klines, interval, detail, ticks } = backtest
  return {
    record: () => recordRun(backtest),
    recordWith(future) {
      if (ticks !== undefined) {
        const others = withOtherTicks(ticks, klines, interval, future)
        return recordRun({ ...backtest, ticks: others, klines: klinesOfTrades(others.trades, interval) })
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
