import type { Instrument } from '../../src/domain/instrument.ts'
import { stepsPerBase } from '../../src/domain/numbers/grid.ts'
import type { Side } from '../../src/domain/orders/side.ts'
import { levelsAt } from '../../src/klines/formats/book-columns.ts'
import type { BookSnapshot, ObservedGap, ObservedTrade } from '../../src/matching/observation.ts'
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
    const { time, id, price, quantity, side } = this.#ticks.trades
    return {
      id: String(id[row]),
      time: time[row] as number, // rows exist, here and below
      side: (side[row] as number) > 0 ? 'buy' : 'sell',
      ...shownLevel(this.#instrument, this.#perTrade, price[row] as number, quantity[row] as number),
    }
  }

  /** The order book of a row; `undefined` without such a row. */
  book(row: number): BookSnapshot | undefined {
    const { books } = this.#ticks
    const time = books?.time[row]
    if (books === undefined || time === undefined) return undefined
    const sideOf = (side: Side) =>
      levelsAt(books, side, row).map(({ price, quantity }) =>
        shownLevel(this.#instrument, this.#perLevel, price, quantity),
      )
    return { time, levels: books.levels, bids: sideOf('buy'), asks: sideOf('sell') }
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
