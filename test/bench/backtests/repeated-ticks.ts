import type { TickData } from '../../../backtest/ticks/tick-data.ts'
import { type ArrivalColumns, booksOfTops } from '../../../src/klines/formats/book-columns.ts'
import { readTradeColumns } from '../../../src/klines/formats/read-series-file.ts'
import { readTopColumns } from '../../../src/klines/formats/read-tick-file.ts'
import { dataPath, isHere, TICK_FILES } from '../bench-data.ts'

const MINUTE = 60_000

/** Six real minutes of trades and best prices, so many times one after the other; `undefined` where they are absent. */
export async function repeatedTicks(times: number): Promise<TickData | undefined> {
  if (!TICK_FILES.every(isHere)) return undefined
  const [tradesFile = '', topsFile = ''] = TICK_FILES.map(dataPath)
  const [trades, tops] = [await readTradeColumns(tradesFile), await readTopColumns(topsFile)]
  const known = [trades, tops].flatMap(({ time, arrival }) => [...time, ...(arrival?.ms ?? [])])
  const spanMs = known.reduce((a, b) => Math.max(a, b)) - known.reduce((a, b) => Math.min(a, b))
  const laterMs = Math.ceil((spanMs + 1) / MINUTE) * MINUTE
  const repeat = <Columns extends Repeatable>(columns: Columns) => repeated(columns, times, laterMs)
  // Ids ascend over all of them.
  const ids = { id: Float64Array.from({ length: trades.length * times }, (_, index) => index) }
  return { trades: { ...repeat(trades), ...ids }, books: booksOfTops(repeat(tops)) }
}

interface Repeatable {
  readonly length: number
  readonly time: Float64Array
  readonly arrival?: ArrivalColumns | undefined
}

/** All columns so many times one after the other, their times each `laterMs` later. */
function repeated<Columns extends Repeatable>(columns: Columns, times: number, laterMs: number): Columns {
  const column = (of: Float64Array, shiftMs: number) =>
    Float64Array.from(
      { length: of.length * times },
      (_, index) => (of[index % of.length] as number) + Math.floor(index / of.length) * shiftMs, // inside the column
    )
  const { length, time, arrival, ...rest } = columns
  const others = Object.entries(rest).map(([name, of]) => [name, column(of as Float64Array, 0)])
  return {
    ...Object.fromEntries(others),
    length: length * times,
    time: column(time, laterMs),
    arrival: arrival && { ms: column(arrival.ms, laterMs), ns: column(arrival.ns, 0) },
  } as Columns // the same columns, longer
}
