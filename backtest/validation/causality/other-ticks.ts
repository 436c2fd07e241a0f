import { closeTimeOf, type Interval } from '../../../src/domain/market-data/interval.ts'
import { seededRandom } from '../../../src/domain/numbers/seeded-random.ts'
import type { ArrivalColumns, BookColumns, RecordedTrades } from '../../../src/klines/formats/book-columns.ts'
import type { KlineColumns } from '../../../src/klines/kline-columns.ts'
import { firstRowAtOrAfter } from '../../../src/klines/row-search.ts'
import type { TickData } from '../../ticks/tick-data.ts'
import type { OtherFuture } from './other-future.ts'

/** The first other trade goes the other way by at least this part of the price. */
const FIRST_STEP = 0.005

/**
 * Trades and order books with another future after the close of the kline `cut`: prices mirrored at the last
 * one before it (bids become asks), other quantities, and each a ms later than it was, so that all of it is
 * after that close. They reach to the end of `ahead` klines, and one trade further, which marks that end.
 */
export function withOtherTicks(
  { trades, books, ...rest }: TickData,
  klines: KlineColumns,
  interval: Interval,
  { cut, ahead, seed }: OtherFuture,
): TickData {
  const from =
    cut < 0 ? (klines.openTime[0] as number) : closeTimeOf(klines.openTime[cut] as number, interval) // rows exist
  const last = Math.min(klines.length - 1, cut + ahead)
  const end = closeTimeOf(klines.openTime[last] as number, interval)
  const first = firstRowAtOrAfter(trades.time, from)
  const pivot = (trades.price[first - 1] ?? trades.price[first]) as number
  const isRising = ((trades.price[first] ?? pivot) as number) >= pivot
  const random = seededRandom(seed).uniform
  const factor = 1 + (isRising ? -1 : 1) * FIRST_STEP * (1 + random())
  const change: Change = { from, end, mirrored: price => ((pivot * pivot) / price) * factor, random }
  return {
    ...rest,
    trades: otherTrades(trades, change),
    books: books && otherBooks(books, change),
  }
}

/** Replacement of recorded data from a time on. */
interface Change {
  readonly from: number
  /** End of the needed data, ms UTC. */
  readonly end: number
  readonly mirrored: (price: number) => number
  readonly random: () => number
}

function otherTrades(trades: RecordedTrades, { from, end, mirrored, random }: Change): RecordedTrades {
  const length = Math.min(trades.length, firstRowAtOrAfter(trades.time, end) + 1)
  const copy = (column: Float64Array) => column.slice(0, length)
  const [time, price, quantity, side] = [trades.time, trades.price, trades.quantity, trades.side].map(
    copy,
  ) as [Float64Array, Float64Array, Float64Array, Float64Array]
  for (let row = firstRowAtOrAfter(trades.time, from); row < length; row++) {
    // Rows exist.
    time[row] = (time[row] as number) + 1
    price[row] = mirrored(price[row] as number)
    quantity[row] = (quantity[row] as number) * (0.5 + random())
    side[row] = -(side[row] as number)
  }
  const arrival = trades.arrival && laterArrivals(trades.arrival, trades.time.subarray(0, length), from)
  return { length, time, id: copy(trades.id), price, quantity, side, arrival }
}

/** The same number of levels, with bids for asks. */
function otherBooks(books: BookColumns, { from, mirrored }: Change): BookColumns {
  const { length, bidsAt } = books
  const [price, quantity] = [books.price.slice(), books.quantity.slice()]
  const [time, asksAt] = [books.time.slice(), books.asksAt.slice()]
  for (let row = 0; row < length; row++) {
    if ((time[row] as number) < from) continue // rows exist, here and below
    time[row] = (time[row] as number) + 1
    const [start, middle, end] = [bidsAt[row], asksAt[row], bidsAt[row + 1]] as [number, number, number]
    const asks = end - middle
    asksAt[row] = start + asks
    for (let at = start; at < end; at++) {
      const source = at < start + asks ? middle + at - start : at - asks
      price[at] = mirrored(books.price[source] as number)
      quantity[at] = books.quantity[source] as number
    }
  }
  const arrival = books.arrival && laterArrivals(books.arrival, books.time, from)
  return { ...books, time, arrival, asksAt, price, quantity }
}

/** Arrivals of rows whose times from `from` (ms UTC) on were moved by a ms. */
function laterArrivals({ ms, ns }: ArrivalColumns, time: Float64Array, from: number): ArrivalColumns {
  const later = Float64Array.from(time, (of, row) => (ms[row] as number) + (of < from ? 0 : 1)) // as many rows
  return { ms: later, ns: ns.subarray(0, time.length) }
}
