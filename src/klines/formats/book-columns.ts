import type { DepthLevel } from '../../domain/market-data/depth.ts'
import type { Trade } from '../../domain/market-data/trade.ts'
import type { Side } from '../../domain/orders/side.ts'
import type { TradeColumns } from '../store/table-layout.ts'

/** Times at which the rows of a recording became known: ms UTC, and ns within that ms. Ascends, over rows of all kinds. */
export interface ArrivalColumns {
  readonly ms: Float64Array
  readonly ns: Float64Array
}

/** A time in ns, which has more digits than a double, as ms and the ns within that; `undefined` for other text. */
export function stampIn(text: string): readonly [ms: number, ns: number] | undefined {
  return /^\d{7,}$/.test(text) ? [Number(text.slice(0, -6)), Number(text.slice(-6))] : undefined
}

/**
 * Arrival of the rows of a file at times (ms UTC): no row is known before its time, nor before the row above it.
 * `undefined` where no arrival was written. Uses the columns given.
 */
export function arrivalOf(
  time: Float64Array,
  ms: Float64Array,
  ns: Float64Array,
): ArrivalColumns | undefined {
  if (ms.every(at => at === 0)) return undefined
  for (let row = 0; row < time.length; row++) {
    // Rows exist.
    if ((ms[row] as number) < (time[row] as number)) {
      ms[row] = time[row] as number
      ns[row] = 0
    }
    const [before, latest] = [ms[row - 1] ?? Number.NEGATIVE_INFINITY, ns[row - 1] ?? 0]
    if ((ms[row] as number) > before || (ms[row] === before && (ns[row] as number) >= latest)) continue
    ms[row] = before
    ns[row] = latest
  }
  return { ms, ns }
}

/** Public trades of a recording. */
export interface RecordedTrades extends TradeColumns {
  /** Without it, a trade is known at its time. */
  readonly arrival?: ArrivalColumns | undefined
}

/** The trade of one row; the row must exist. */
export function tradeAt({ time, price, quantity, side }: TradeColumns, row: number): Trade {
  return {
    time: time[row] as number,
    price: price[row] as number,
    quantity: quantity[row] as number,
    side: (side[row] as number) > 0 ? 'buy' : 'sell',
  }
}

/** Rows `first` to `end - 1`. */
export function arrivalsBetween(
  arrival: ArrivalColumns | undefined,
  first: number,
  end: number,
): ArrivalColumns | undefined {
  return arrival && { ms: arrival.ms.subarray(first, end), ns: arrival.ns.subarray(first, end) }
}

/** Recorded order books in columns, ascending by their arrival. */
export interface BookColumns {
  readonly length: number
  /** The exchange's time, ms UTC. */
  readonly time: Float64Array
  /** Without it, a book is known at its time. */
  readonly arrival?: ArrivalColumns | undefined
  /** Levels asked for, a side; a side with fewer levels is whole. */
  readonly levels: number
  /** True if quantities are base; otherwise they are in the unit of the market: base, or contracts. */
  readonly inBase: boolean
  /** Place of a row's first bid among all levels; its bids end at its first ask. One more row ends the last one. */
  readonly bidsAt: Float64Array
  readonly asksAt: Float64Array
  /** All levels, best prices first, in quote per base. */
  readonly price: Float64Array
  readonly quantity: Float64Array
}

/** Best bids and asks in columns, ascending by time; all columns have the same length. */
export interface TopColumns {
  readonly length: number
  /** ms UTC. */
  readonly time: Float64Array
  readonly arrival?: ArrivalColumns | undefined
  /** Quote per base; quantities in base. */
  readonly bid: Float64Array
  readonly bidQuantity: Float64Array
  readonly ask: Float64Array
  readonly askQuantity: Float64Array
}

/** Best bids and asks as order books of one level a side. */
export function booksOfTops({ length, time, arrival, ...tops }: TopColumns): BookColumns {
  const [price, quantity] = [new Float64Array(2 * length), new Float64Array(2 * length)]
  const [bidsAt, asksAt] = [new Float64Array(length + 1), new Float64Array(length)]
  for (let row = 0; row < length; row++) {
    const at = 2 * row
    bidsAt[row] = at
    asksAt[row] = at + 1
    // Rows exist.
    price[at] = tops.bid[row] as number
    quantity[at] = tops.bidQuantity[row] as number
    price[at + 1] = tops.ask[row] as number
    quantity[at + 1] = tops.askQuantity[row] as number
  }
  bidsAt[length] = 2 * length
  return { length, time, arrival, levels: 1, inBase: true, bidsAt, asksAt, price, quantity }
}

/** The bids or asks of a row, best prices first, at most so many; the row must exist. */
export function levelsAt(
  { bidsAt, asksAt, price, quantity }: BookColumns,
  side: Side,
  row: number,
  most = Number.POSITIVE_INFINITY,
): readonly DepthLevel[] {
  const from = (side === 'buy' ? bidsAt[row] : asksAt[row]) as number
  const to = (side === 'buy' ? asksAt[row] : bidsAt[row + 1]) as number
  const levels: DepthLevel[] = []
  for (let at = from; at < Math.min(to, from + most); at++)
    levels.push({ price: price[at] as number, quantity: quantity[at] as number })
  return levels
}
