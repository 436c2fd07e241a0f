import { closeTimeOf, type Interval } from '../../../src/domain/market-data/interval.ts'
import { columnsFrom, type KlineColumns, klineAt, klinesIn } from '../../../src/klines/kline-columns.ts'
import { firstRowAtOrAfter } from '../../../src/klines/row-search.ts'
import { sliceRows } from '../../../src/klines/slice-klines.ts'

/**
 * Finer klines for klines whose future after the row `cut` was replaced: the true ones up to the close of
 * `cut`, and none of the future, whose klines then give their own path. Only the last kline has one finer
 * kline, which is itself, because finer klines must span all.
 */
export function withoutLaterDetail(
  detail: KlineColumns,
  klines: KlineColumns,
  interval: Interval,
  cut: number,
): KlineColumns {
  const closed = closeTimeOf(klines.openTime[cut] as number, interval) // the row exists
  const past = sliceRows(detail, 0, firstRowAtOrAfter(detail.openTime, closed))
  return columnsFrom([...klinesIn(past), klineAt(klines, klines.length - 1)])
}
