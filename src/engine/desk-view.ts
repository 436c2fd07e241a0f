import { amountToNumber } from '../domain/amount.ts'
import { priceOf, quantityOf, roundToTicks } from '../domain/grid.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { KlineCursor } from '../domain/kline-series.ts'
import type { Order } from '../domain/order.ts'
import type { Position } from '../domain/position.ts'
import type { Direction } from '../domain/side.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { MarketView, OrderView, Positions, PositionView } from '../strategy/strategy-view.ts'
import type { DeskBooks } from './desk-books.ts'

const FLAT: PositionView = {
  direction: 'flat',
  quantity: 0,
  entryPrice: Number.NaN,
  openedAt: Number.NaN,
}

/** One instrument of a strategy, and the ledger as the strategy sees it: plain numbers, always of the present moment. */
export class DeskView implements MarketView {
  readonly instrument: Instrument
  readonly #books: DeskBooks
  readonly #ledger: Ledger
  readonly #role: string | undefined
  /** Where klines are being shown right now: the price is that of the row shown last. */
  #cursor: KlineCursor | undefined
  #price = Number.NaN
  #seen: { position: Position | undefined; view: PositionView } = { position: undefined, view: FLAT }

  constructor(instrument: Instrument, books: DeskBooks, ledger: Ledger, role: string | undefined) {
    this.instrument = instrument
    this.#books = books
    this.#ledger = ledger
    this.#role = role
  }

  /** Latest price, quote per base. */
  get price(): number {
    if (this.#cursor === undefined) return this.#price
    const { klines, next } = this.#cursor
    return klines.close[next - 1] as number // shown, hence a row
  }

  set price(price: number) {
    this.#price = price
  }

  /** Goes along with the rows that a cursor shows, until `settle`. */
  follow(cursor: KlineCursor): void {
    this.#cursor = cursor
  }

  /** Stays at the row shown last. */
  settle(): void {
    const { price } = this
    this.#cursor = undefined
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
      .map(order => orderView(this.instrument, order, this.#role))
  }

  /** A function of its own, because handlers take what they need out of a market. */
  readonly balance = (asset: string): number =>
    amountToNumber(this.#ledger.balances.in(this.instrument.accountType).of(asset))

  /** Tells the ledger the latest price, where there is one. */
  mark(): void {
    if (!Number.isFinite(this.price)) return
    this.#ledger.mark(this.instrument, roundToTicks(this.instrument, this.price, 'nearest'))
  }
}

/** An order in plain numbers. */
export function orderView(
  instrument: Instrument,
  { request, status, filledQuantity }: Order,
  market: string | undefined,
): OrderView {
  return {
    clientOrderId: request.clientOrderId,
    side: request.side,
    purpose: request.purpose,
    status,
    quantity: quantityOf(instrument, request.quantity),
    filledQuantity: quantityOf(instrument, filledQuantity),
    tag: request.tag,
    market,
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
