import { utcText } from '../../domain/market-data/civil-date.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { FundingColumns } from '../store/table-layout.ts'
import { arrivalOf, type RecordedTrades } from './book-columns.ts'
import { openDataFile } from './data-file.ts'
import { FUNDING_ROWS } from './layouts/funding-layouts.ts'
import { recogniseLayout } from './layouts/recognise-layout.ts'
import { headerOf, type RowLayout } from './layouts/row-layout.ts'
import { TRADE_ROWS } from './layouts/trade-layouts.ts'
import { readTextTable, type TextTable } from './text/read-text-table.ts'
import { refuseUnreadable } from './text/unreadable-row.ts'

/**
 * Reads funding rates from a CSV file, plain or in gzip or ZIP: `ts,rate`, or a public dump of Binance.
 * Rejects with `UsageError`, naming file and line, unless they ascend.
 */
export async function readFundingFile(path: string): Promise<FundingColumns> {
  const table = await readRows(path, 'funding file', FUNDING_ROWS)
  const [time, rate] = table.columns as readonly [Float64Array, Float64Array] // as many as the layouts have
  requireRows(path, table, row => rowOrderProblem(time, row, isLater(time, row)))
  return { length: time.length, time, rate }
}

/**
 * Reads public trades from a CSV file, plain or in gzip or ZIP: `local_ns,exch_ms,trade_id,price,qty,buyer_is_maker`, or a
 * public dump of Binance (trades, aggTrades). Rejects with `UsageError`, naming file and line, unless they ascend by time
 * and id.
 */
export async function readTradeColumns(path: string): Promise<RecordedTrades> {
  const table = await readRows(path, 'trade file', TRADE_ROWS)
  // The layouts have as many columns.
  const [time, id, price, quantity, side, ms, ns] = table.columns as readonly [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  requireRows(path, table, row => {
    if (!((price[row] as number) > 0)) return `has a price of ${price[row]}; expected one above 0.`
    if (!((quantity[row] as number) >= 0))
      return `has a quantity of ${quantity[row]}; expected one of at least 0.`
    const isSameMoment = time[row] === time[row - 1]
    return rowOrderProblem(time, row, isSameMoment ? isLaterId(id, row) : isLater(time, row))
  })
  return { length: time.length, time, id, price, quantity, side, arrival: arrivalOf(time, ms, ns) }
}

/**
 * Reads the rows of a text file with one of the layouts; rejects with `UsageError` for a row of another form,
 * or without rows.
 */
export async function readRows(
  path: string,
  kind: string,
  layouts: readonly RowLayout[],
): Promise<TextTable> {
  const file = await openDataFile(path, kind)
  const table = await readTextTable(file, {
    width: layouts[0]?.columns.length ?? 0,
    recognise: start => ({ notation: 'csv', layout: recogniseLayout(start, layouts, path) }),
    onUnreadable: refuseUnreadable(path),
  })
  if (table.columns[0]?.length) return table
  throw new UsageError(`${path} has no rows; expected ${layouts.map(headerOf).join(', or ')}.`)
}

/**
 * Throws `UsageError` for the first row with a problem, which is the rest of a sentence that starts with
 * place and file.
 */
export function requireRows(
  path: string,
  { columns, placeOf }: TextTable,
  problemOf: (row: number) => string | undefined,
): void {
  for (let row = 0; row < (columns[0]?.length ?? 0); row++) {
    const problem = problemOf(row)
    if (problem !== undefined) throw new UsageError(`${placeOf(row)} of ${path} ${problem}`)
  }
}

/** Problem of a row that does not come after the previous one. */
export function rowOrderProblem(time: Float64Array, row: number, isAfter: boolean): string | undefined {
  if (row === 0 || isAfter) return undefined
  const at = utcText(time[row] as number) // the row exists
  return `(${at}) does not come after the row before it; sort the rows, and keep each once.`
}

function isLater(values: Float64Array, row: number): boolean {
  return row === 0 || (values[row - 1] as number) < (values[row] as number) // both rows exist
}

/** Ids beyond the whole numbers of a double may look alike. */
function isLaterId(ids: Float64Array, row: number): boolean {
  const id = ids[row] as number // the row exists
  return isLater(ids, row) || (id > Number.MAX_SAFE_INTEGER && id === ids[row - 1])
}
