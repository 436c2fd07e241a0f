import { amountToNumber } from '../domain/amount.ts'
import { priceOf, quantityOf, roundToTicks } from '../domain/grid.ts'
import type { Instrument } from '../domain/instrument.ts'
import { closeTimeOf, type Interval } from '../domain/interval.ts'
import type { KlineCursor } from '../domain/kline-series.ts'
import type { Order } from '../domain/order.ts'
import type { Position } from '../domain/position.ts'
import type { Direction } from '../domain/side.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { OrderView, Positions, PositionView, StrategyView } from '../strategy/strategy-view.ts'
import type { DeskBooks } from './desk-books.ts'

const FLAT: PositionView = {
  direction: 'flat',
  quantity: 0,
  entryPrice: Number.NaN,
  openedAt: Number.NaN,
}

/** The ledger as one strategy sees it: plain numbers, always of the present moment. */
export class DeskView implements StrategyView {
  readonly instrument: Instrument
  readonly #books: DeskBooks
  readonly #interval: Interval
  readonly #ledger: Ledger
  #time = Number.NaN
  #price = Number.NaN
  /** Where klines are being shown right now: time and price are those of the row shown last, read when somebody asks. */
  #cursor: KlineCursor | undefined
  #seen: { position: Position | undefined; view: PositionView } = { position: undefined, view: FLAT }

  constructor(instrument: Instrument, books: DeskBooks, interval: Interval, ledger: Ledger) {
    this.instrument = instrument
    this.#books = books
    this.#interval = interval
    this.#ledger = ledger
  }

  /** Market time, ms UTC. */
  get time(): number {
    if (this.#cursor === undefined) return this.#time
    const { klines, next } = this.#cursor
    return later(this.#time, closeTimeOf(klines.openTime[next - 1] as number, this.#interval)) // shown, hence a row
  }

  /** Latest price, quote per base. */
  get price(): number {
    if (this.#cursor === undefined) return this.#price
    const { klines, next } = this.#cursor
    return klines.close[next - 1] as number // as above
  }

  set price(price: number) {
    this.#price = price
  }

  /** Market time never goes back, even when a fill is reported late: so no decision shares its time and ordinal with another. */
  advance(time: number): void {
    this.#time = later(this.#time, time)
  }

  /** Goes along with the rows that a cursor shows, until `settle`. */
  follow(cursor: KlineCursor): void {
    this.#cursor = cursor
  }

  /** Stays at the row shown last. */
  settle(): void {
    const { time, price } = this
    this.#cursor = undefined
    this.#time = time
    this.#price = price
  }

  get position(): PositionView {
    if (this.#books.areTwo) return netOf(this.positions)
    const position = this.#ledger.position(this.#books.of('long'))
    if (position !== this.#seen.position)
      this.#seen = { position, view: positionView(this.instrument, position) }
    return this.#seen.view
  }

  get positions(): Positions {
    const of = (direction: Direction) => {
      const position = this.#ledger.position(this.#books.of(direction))
      return positionView(this.instrument, position?.direction === direction ? position : undefined)
    }
    return { long: of('long'), short: of('short') }
  }

  get orders(): readonly OrderView[] {
    return this.#ledger.orders.working
      .filter(order => this.#books.has(order.request))
      .map(order => orderView(this.instrument, order))
  }

  get equity(): number {
    if (Number.isFinite(this.price)) {
      this.#ledger.mark(this.instrument, roundToTicks(this.instrument, this.price, 'nearest'))
    }
    return amountToNumber(this.#ledger.equity(this.instrument.quote))
  }
}

function later(time: number, other: number): number {
  return other <= time ? time : other
}

/** An order in plain numbers. */
export function orderView(instrument: Instrument, { request, status, filledQuantity }: Order): OrderView {
  return {
    clientOrderId: request.clientOrderId,
    side: request.side,
    purpose: request.purpose,
    status,
    quantity: quantityOf(instrument, request.quantity),
    filledQuantity: quantityOf(instrument, filledQuantity),
    tag: request.tag,
  }
}

/** The larger side, less the other. */
function netOf({ long, short }: Positions): PositionView {
  const quantity = Math.abs(long.quantity - short.quantity)
  if (quantity === 0) return FLAT
  return { ...(long.quantity > short.quantity ? long : short), quantity }
}

function positionView(instrument: Instrument, position: Position | undefined): PositionView {
  const first = position?.lots[0]
  if (position === undefined || first === undefined) return FLAT
  const cost = position.lots.reduce((sum, lot) => sum + priceOf(instrument, lot.price) * lot.quantity, 0)
  return {
    direction: position.direction,
    quantity: quantityOf(instrument, position.quantity),
    entryPrice: cost / position.quantity,
    openedAt: first.time,
  }
}
