import type { Instrument } from '../../src/domain/instrument.ts'
import {
  roundedDown,
  roundToTicks,
  type Steps,
  steps,
  stepsPerBase,
  type Ticks,
} from '../../src/domain/numbers/grid.ts'
import type { Side } from '../../src/domain/orders/side.ts'
import type { BookColumns, RecordedTrades } from '../../src/klines/formats/book-columns.ts'
import type { BookSnapshot, ObservedGap, ObservedTrade, ShownLevel } from '../../src/matching/observation.ts'
import { minuteOf, shownLevel, stepsPerUnit } from '../../src/matching/told-market.ts'
import type { JudgedGap, TickData } from './tick-data.ts'

/** The rows of recorded data as they are matched on: on the grid of the instrument. */
export class TickObservations {
  readonly #instrument: Instrument
  readonly #ticks: TickData
  /** Steps in the unit of trades, and in that of order books. */
  readonly #perTrade: number
  readonly #perLevel: number

  constructor(instrument: Instrument, ticks: TickData) {
    this.#instrument = instrument
    this.#ticks = ticks
    this.#perTrade = stepsPerBase(instrument)
    this.#perLevel = ticks.books?.inBase === false ? stepsPerUnit(instrument) : this.#perTrade
  }

  /** The trade of a row, which must exist. */
  trade(row: number): ObservedTrade {
    const { price, quantity } = this.#ticks.trades
    const instrument = this.#instrument
    return new TickTrade(
      this.#ticks.trades,
      row,
      roundToTicks(instrument, price[row] as number, 'nearest'), // rows exist, here and below
      steps(roundedDown((quantity[row] as number) * this.#perTrade)),
    )
  }

  /** The order book of a row; `undefined` without such a row. */
  book(row: number): BookSnapshot | undefined {
    const { books } = this.#ticks
    const time = books?.time[row]
    if (books === undefined || time === undefined) return undefined
    const [bid, ask, end] = [books.bidsAt[row], books.asksAt[row], books.bidsAt[row + 1]] as [
      number,
      number,
      number,
    ]
    return {
      time,
      levels: books.levels,
      bids: this.#levels(books, bid, ask),
      asks: this.#levels(books, ask, end),
    }
  }

  #levels({ price, quantity }: BookColumns, from: number, end: number): readonly ShownLevel[] {
    const levels: ShownLevel[] = []
    for (let at = from; at < end; at++)
      levels.push(shownLevel(this.#instrument, this.#perLevel, price[at] as number, quantity[at] as number))
    return levels
  }

  /** The gap of a row, which must exist. */
  gap(row: number): ObservedGap {
    const gap = this.#ticks.gaps?.gaps[row] as JudgedGap // as required
    return { ...gap, minutes: gap.minutes.map(minute => minuteOf(this.#instrument, minute)) }
  }

  /** The middle between the best prices of a row, quote per base; NaN without such a row, or one side. */
  middle(row: number): number {
    const { books } = this.#ticks
    if (books === undefined) return Number.NaN
    const { bidsAt, asksAt, price } = books
    const [bid, ask, end] = [
      bidsAt[row] ?? Number.NaN,
      asksAt[row] ?? Number.NaN,
      bidsAt[row + 1] ?? Number.NaN,
    ]
    return bid < ask && ask < end ? ((price[bid] as number) + (price[ask] as number)) / 2 : Number.NaN // levels
  }
}

/** A recorded trade; its id is read where a fill names it. */
class TickTrade implements ObservedTrade {
  readonly price: Ticks
  readonly quantity: Steps
  readonly #trades: RecordedTrades
  readonly #row: number

  constructor(trades: RecordedTrades, row: number, price: Ticks, quantity: Steps) {
    this.price = price
    this.quantity = quantity
    this.#trades = trades
    this.#row = row
  }

  get id(): string {
    return String(this.#trades.id[this.#row])
  }

  get time(): number {
    return this.#trades.time[this.#row] as number // the row exists, here and below
  }

  get side(): Side {
    return (this.#trades.side[this.#row] as number) > 0 ? 'buy' : 'sell'
  }
}
