import type { TopOfBook } from '../../domain/market-data/top-of-book.ts'
import type { Trade } from '../../domain/market-data/trade.ts'
import { arrivalOf, type TopColumns, tradeAt } from './book-columns.ts'
import type { RowLayout } from './layouts/row-layout.ts'
import { readRows, readTradeColumns, requireRows, rowOrderProblem } from './read-series-file.ts'

const TOP_ROWS: RowLayout = {
  columns: ['time', 'bid', 'bidQuantity', 'ask', 'askQuantity', 'arrivalMs', 'arrivalNs'],
  fields: [
    { name: 'local_ns', kind: 'number', stamp: ['arrivalMs', 'arrivalNs'] },
    { name: 'exch_ms', column: 'time', kind: 'time' },
    { name: 'update_id', kind: 'number' },
    { name: 'bid', column: 'bid', kind: 'number' },
    { name: 'bid_qty', column: 'bidQuantity', kind: 'number' },
    { name: 'ask', column: 'ask', kind: 'number' },
    { name: 'ask_qty', column: 'askQuantity', kind: 'number' },
  ],
}

/**
 * Reads recorded trades, with the exchange's times, from a file that `readTradeColumns` accepts; rejects with
 * `UsageError`.
 */
export async function readTradeFile(path: string): Promise<readonly Trade[]> {
  const columns = await readTradeColumns(path)
  return Array.from({ length: columns.length }, (_, row) => tradeAt(columns, row))
}

/**
 * Reads recorded best bids and asks from a CSV file, plain or in gzip or ZIP, with the columns
 * `local_ns,exch_ms,update_id,bid,bid_qty,ask,ask_qty`, by the exchange's times; rejects with `UsageError`
 * naming file and line.
 */
export async function readTopColumns(path: string): Promise<TopColumns> {
  const table = await readRows(path, 'top-of-book file', [TOP_ROWS])
  // The layout has as many columns.
  const [time, bid, bidQuantity, ask, askQuantity, ms, ns] = table.columns as readonly [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  requireRows(path, table, row => rowOrderProblem(time, row, (time[row - 1] ?? 0) <= (time[row] ?? 0)))
  return { length: time.length, time, bid, bidQuantity, ask, askQuantity, arrival: arrivalOf(time, ms, ns) }
}

/** The best prices of one row; the row must exist. */
function topAt({ time, bid, bidQuantity, ask, askQuantity }: TopColumns, row: number): TopOfBook {
  return {
    time: time[row] as number,
    bid: bid[row] as number,
    bidQuantity: bidQuantity[row] as number,
    ask: ask[row] as number,
    askQuantity: askQuantity[row] as number,
  }
}

/** Like `readTopColumns`, with one object per row. */
export async function readTopOfBookFile(path: string): Promise<readonly TopOfBook[]> {
  const columns = await readTopColumns(path)
  return Array.from({ length: columns.length }, (_, row) => topAt(columns, row))
}
