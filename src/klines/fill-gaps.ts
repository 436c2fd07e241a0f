import { closeTimeOf, type Interval } from '../domain/market-data/interval.ts'
import { klinesBetween } from './check-interval.ts'
import { emptyColumns, type KlineColumns } from './kline-columns.ts'

/** The klines with gaps filled by flat klines at the previous close, without volume. */
export function fillGaps(klines: KlineColumns, interval: Interval): KlineColumns {
  const [first, last] = [klines.openTime[0], klines.openTime.at(-1)]
  if (first === undefined || last === undefined) return klines
  const filled = emptyColumns(klinesBetween(first, last, interval) + 1)
  let row = 0
  for (let index = 0, next = first; index < filled.length; index++, next = closeTimeOf(next, interval)) {
    if (klines.openTime[row] === next) copyRow(klines, row++, filled, index)
    else {
      filled.openTime[index] = next
      // The first kline exists, so this is not the first row.
      const close = filled.close[index - 1] as number
      for (const prices of [filled.open, filled.high, filled.low, filled.close]) prices[index] = close
    }
  }
  return filled
}

function copyRow(from: KlineColumns, row: number, to: KlineColumns, index: number): void {
  // The row exists in every column.
  to.openTime[index] = from.openTime[row] as number
  to.open[index] = from.open[row] as number
  to.high[index] = from.high[row] as number
  to.low[index] = from.low[row] as number
  to.close[index] = from.close[row] as number
  to.volume[index] = from.volume[row] as number
}
