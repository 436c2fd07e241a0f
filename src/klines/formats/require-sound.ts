import { UsageError } from '../../domain/sluice-error.ts'
import type { KlineColumns } from '../kline-columns.ts'
import { isSoundRow, rowProblem } from '../kline-row.ts'
import type { KlineTable } from './kline-table.ts'
import { KLINE_COLUMNS, KLINE_ROWS } from './layouts/kline-layouts.ts'
import { headerOf } from './layouts/row-layout.ts'

/** Columns of possible, ascending klines; throws `UsageError` for the first other row, or without rows. */
export function requireSound({ columns, placeOf }: KlineTable, source: string): KlineColumns {
  if (columns.length === 0) {
    throw new UsageError(`${source} has no klines; expected rows of ${headerOf(KLINE_ROWS)}, oldest first.`)
  }
  const row = new Float64Array(KLINE_COLUMNS.length)
  let previous = Number.NEGATIVE_INFINITY
  for (let index = 0; index < columns.length; index++) {
    copyRow(columns, index, row)
    if (!isSoundRow(row, previous)) {
      const problem = rowProblem(Array.from(row, String), row, previous)
      throw new UsageError(`${placeOf(index)} of ${source} ${problem}`)
    }
    previous = row[0] as number // of six
  }
  return columns
}

/** Copies one row of klines, in the order of `KLINE_COLUMNS`; it must exist. */
export function copyRow(columns: KlineColumns, index: number, row: Float64Array): void {
  row[0] = columns.openTime[index] as number
  row[1] = columns.open[index] as number
  row[2] = columns.high[index] as number
  row[3] = columns.low[index] as number
  row[4] = columns.close[index] as number
  row[5] = columns.volume[index] as number
}
