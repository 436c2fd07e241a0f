import { closeTimeOf } from '../../src/domain/interval.ts'
import { columnsFrom, klineAt, klinesIn } from '../../src/klines/kline-columns.ts'
import { firstRowAtOrAfter } from '../../src/klines/row-search.ts'
import { sliceRows } from '../../src/klines/slice-klines.ts'
import type { BacktestMarket, MarketsBacktestOptions } from '../run-backtest.ts'
import type { CausalSubject } from './causal-subject.ts'
import { type Difference, errorDifference, recordedDifference } from './first-difference.ts'
import { type OtherFuture, withOtherFuture } from './other-future.ts'
import { recordMarkets } from './record-markets.ts'
import type { RunRecord } from './run-record.ts'

/**
 * A run of several markets: its rows are the moments at which klines of any of them closed. At such a moment the future of
 * all of them changes together, also the rest of klines that have opened and not closed; so what one strategy tells another,
 * by whatever way, is found as well. A market that has not begun by then keeps its first kline.
 */
export function marketsSubject(backtest: MarketsBacktestOptions): CausalSubject {
  return {
    record: () => recordMarkets(backtest),
    recordWith(future, baseline) {
      const time = baseline.moments?.[future.cut]
      const markets = backtest.markets.map((market, index) =>
        withFutureFrom(market, time ?? Number.POSITIVE_INFINITY, { ...future, seed: future.seed + index }),
      )
      return recordMarkets({ ...backtest, markets })
    },
    difference: marketsDifference,
  }
}

/** What happened at each moment is told in order, so that all of it up to the cut must be the same. */
function marketsDifference(before: RunRecord, after: RunRecord, cut: number): Difference | undefined {
  const isPast = ({ row }: { readonly row: number }) => row <= cut
  return [
    errorDifference(before, after, cut),
    recordedDifference(before.entries.filter(isPast), after.entries.filter(isPast)),
    equityDifference(before, after, cut),
  ]
    .filter(difference => difference !== undefined)
    .sort((left, right) => left.row - right.row)[0]
}

function equityDifference(before: RunRecord, after: RunRecord, cut: number): Difference | undefined {
  if (before.result === undefined || after.result === undefined) return undefined
  const textAt = ({ equityTime, equity }: typeof before.result, row: number) =>
    row < equity.length ? `${equity[row]} at ${equityTime[row]}` : undefined
  for (let row = 0; row <= cut; row++) {
    const [left, right] = [textAt(before.result, row), textAt(after.result, row)]
    if (left !== right) return { what: 'equity', handler: undefined, row, before: left, after: right }
  }
  return undefined
}

/** A market whose future from `time` on (ms UTC) is another. */
function withFutureFrom(market: BacktestMarket, time: number, future: OtherFuture): BacktestMarket {
  const { klines, interval, detail } = market
  const next = firstRowAtOrAfter(klines.openTime, time)
  const latest = klines.openTime[next - 1]
  const isOpened = latest !== undefined && closeTimeOf(latest, interval) > time
  const cut = isOpened ? next - 2 : Math.max(0, next - 1)
  if (cut + 1 >= klines.length) return market
  const other = withOtherFuture(klines, interval, { ...future, cut, isOpened })
  if (detail === undefined) return { ...market, klines: other }
  const past = sliceRows(detail.klines, 0, firstRowAtOrAfter(detail.klines.openTime, time))
  const finer = columnsFrom([...klinesIn(past), klineAt(other, other.length - 1)])
  return { ...market, klines: other, detail: { ...detail, klines: finer } }
}
