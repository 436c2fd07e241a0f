import { UsageError } from '../domain/sluice-error.ts'
import type { TopOfBook } from '../domain/top-of-book.ts'
import type { Trade } from '../domain/trade.ts'
import { readBytes, unzip } from './read-bytes.ts'

const TRADE_FIELDS = ['local_ns', 'exch_ms', 'trade_id', 'price', 'qty', 'buyer_is_maker']
const TOP_FIELDS = ['local_ns', 'exch_ms', 'update_id', 'bid', 'bid_qty', 'ask', 'ask_qty']
const DECIMAL_TEXT = /^\d+(\.\d+)?$/

/**
 * Reads recorded trades from a CSV file, plain or gzip, with the columns `local_ns,exch_ms,trade_id,price,qty,buyer_is_maker`,
 * at the exchange's times; throws `UsageError` naming file and line.
 */
export function readTradeFile(path: string): readonly Trade[] {
  return rowsOf(path, 'trade file', TRADE_FIELDS, ([, time, , price, quantity, buyerIsMaker]) => ({
    time,
    price,
    quantity,
    side: buyerIsMaker === 0 ? 'buy' : 'sell',
  }))
}

/**
 * Reads recorded best bids and asks from a CSV file, plain or gzip, with the columns
 * `local_ns,exch_ms,update_id,bid,bid_qty,ask,ask_qty`, at the exchange's times; throws `UsageError` naming file and line.
 */
export function readTopOfBookFile(path: string): readonly TopOfBook[] {
  return rowsOf(path, 'top-of-book file', TOP_FIELDS, ([, time, , bid, bidQuantity, ask, askQuantity]) => ({
    time,
    bid,
    bidQuantity,
    ask,
    askQuantity,
  }))
}

/** Seven numbers are the most a row has; what is missing does not get past `numbersOf`. */
type Numbers = readonly [number, number, number, number, number, number, number]

function rowsOf<Row extends { readonly time: number }>(
  path: string,
  kind: string,
  fields: readonly string[],
  rowOf: (numbers: Numbers) => Row,
): readonly Row[] {
  const rows: Row[] = []
  const lines = unzip(readBytes(path, kind), path, kind).toString().split(/\r?\n/)
  for (const [index, line] of lines.entries()) {
    if (line === '' || (index === 0 && line === fields.join(','))) continue
    const numbers = numbersOf(line, fields.length)
    const row = numbers && rowOf(numbers)
    if (row === undefined || row.time < (rows.at(-1)?.time ?? 0)) {
      throw new UsageError(
        `Line ${index + 1} of ${path} is "${line}"; expected ${fields.join(',')} as numbers, oldest first.`,
      )
    }
    rows.push(row)
  }
  if (rows.length === 0) throw new UsageError(`${path} has no rows; expected ${fields.join(',')}.`)
  return rows
}

function numbersOf(line: string, count: number): Numbers | undefined {
  const texts = line.split(',')
  if (texts.length !== count || !texts.every(text => DECIMAL_TEXT.test(text))) return undefined
  return texts.map(Number) as unknown as Numbers // as many as the layout has; a layout takes no more than it has
}
