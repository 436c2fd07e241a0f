import type { TopOfBook } from '../../domain/top-of-book.ts'
import type { Trade } from '../../domain/trade.ts'
import { orderProblem, readRows, readTradeColumns, requireRows } from './read-series-file.ts'
import type { RowLayout } from './row-layout.ts'

const TOP_ROWS: RowLayout = {
  columns: ['time', 'bid', 'bidQuantity', 'ask', 'askQuantity'],
  fields: [
    { name: 'local_ns', kind: 'number' },
    { name: 'exch_ms', column: 'time', kind: 'time' },
    { name: 'update_id', kind: 'number' },
    { name: 'bid', column: 'bid', kind: 'number' },
    { name: 'bid_qty', column: 'bidQuantity', kind: 'number' },
    { name: 'ask', column: 'ask', kind: 'number' },
    { name: 'ask_qty', column: 'askQuantity', kind: 'number' },
  ],
}

/** Reads recorded trades, at the exchange's times, from a file as `readTradeColumns` takes it; rejects with `UsageError`. */
export async function readTradeFile(path: string): Promise<readonly Trade[]> {
  const { time, price, quantity, side } = await readTradeColumns(path)
  // Every column has the row.
  return Array.from(time, (at, row) => ({
    time: at,
    price: price[row] as number,
    quantity: quantity[row] as number,
    side: (side[row] as number) > 0 ? 'buy' : 'sell',
  }))
}

/**
 * Reads recorded best bids and asks from a CSV file, plain or in gzip or ZIP, with the columns
 * `local_ns,exch_ms,update_id,bid,bid_qty,ask,ask_qty`, at the exchange's times; rejects with `UsageError` naming file and
 * line.
 */
export async function readTopOfBookFile(path: string): Promise<readonly TopOfBook[]> {
  const table = await readRows(path, 'top-of-book file', [TOP_ROWS])
  const [time = new Float64Array(), bid, bidQuantity, ask, askQuantity] = table.columns
  requireRows(path, table, row => orderProblem(time, row, (time[row - 1] ?? 0) <= (time[row] ?? 0)))
  // Every column has the row.
  return Array.from(time, (at, row) => ({
    time: at,
    bid: bid?.[row] as number,
    bidQuantity: bidQuantity?.[row] as number,
    ask: ask?.[row] as number,
    askQuantity: askQuantity?.[row] as number,
  }))
}
