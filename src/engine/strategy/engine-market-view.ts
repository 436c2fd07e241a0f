import type { Instrument } from '../../domain/instrument.ts'
import type { KlineCursor } from '../../domain/market-data/kline-series.ts'
import { amountToNumber } from '../../domain/numbers/amount.ts'
import { priceOf, quantityOf, roundToTicks, type Ticks } from '../../domain/numbers/grid.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'
import type { Direction } from '../../domain/orders/side.ts'
import { trailingLevel } from '../../domain/orders/trailing-stop.ts'
import type { Lot, Position } from '../../domain/position.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { LotView, MarketView, OrderView, Positions, PositionView } from '../../strategy/strategy-view.ts'
import type { PositionBooks } from '../position-books.ts'

const FLAT: PositionView = Object.freeze({
  direction: 'flat',
  quantity: 0,
  entryPrice: Number.NaN,
  openedAt: Number.NaN,
})

/**
 * One instrument of a strategy, and the ledger as the strategy sees it: plain numbers, always of the present
 * moment.
 */
export class EngineMarketView implements MarketView {
  readonly instrument: Instrument
  readonly #books: PositionBooks
  readonly #ledger: Ledger
  readonly #role: string | undefined
  /** True for orders that are not shown, because only the confirmation of their cancel is awaited. */
  readonly #hasExpired: (clientOrderId: string) => boolean
  /** Position within a batch of klines: the price is that of the row shown last. */
  #cursor: KlineCursor | undefined
  /** The row of the cursor before which a later price was set. */
  #pricedAt = Number.NaN
  #price = Number.NaN
  #close = Number.NaN
  #closeTime = Number.NaN
  #seen: { position: Position | undefined; view: PositionView } = { position: undefined, view: FLAT }

  constructor(
    instrument: Instrument,
    books: PositionBooks,
    ledger: Ledger,
    role: string | undefined,
    hasExpired: (clientOrderId: string) => boolean,
  ) {
    this.instrument = instrument
    this.#books = books
    this.#ledger = ledger
    this.#role = role
    this.#hasExpired = hasExpired
  }

  /** Latest price, quote per base. */
  get price(): number {
    if (this.#cursor === undefined) return this.#price
    const { klines, next } = this.#cursor
    if (next === this.#pricedAt) return this.#price
    return klines.close[next - 1] as number // shown, hence a row
  }

  set price(price: number) {
    this.#price = price
    if (this.#cursor !== undefined) this.#pricedAt = this.#cursor.next
  }

  /** It closed at a price, quote per base, at `closeTime`, ms UTC. */
  observeClose(price: number, closeTime: number): void {
    this.price = price
    this.#close = price
    this.#closeTime = closeTime
  }

  /** A kline that closed at that time is shown: its own close of then counts, and not what an order of the same moment traded at since. */
  returnTo(closeTime: number): void {
    if (closeTime === this.#closeTime) this.price = this.#close
  }

  /** Latest close with its time, ms UTC; NaN before the first. */
  get close(): { readonly price: number; readonly time: number } {
    return { price: this.#close, time: this.#closeTime }
  }

  /** Follows the rows shown by a cursor, until `settle`. */
  follow(cursor: KlineCursor): void {
    this.#cursor = cursor
    this.#pricedAt = Number.NaN
  }

  /** Stays at the row shown last, which closed at `closeTime`, ms UTC. */
  settle(closeTime: number): void {
    if (this.#cursor === undefined) return
    const { price } = this
    const { klines, next } = this.#cursor
    this.#cursor = undefined
    this.observeClose(klines.close[next - 1] as number, closeTime) // shown, hence a row
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

  get lots(): readonly LotView[] {
    const positions = this.#books.all.map(book => this.#ledger.position(book))
    return Object.freeze(
      positions.flatMap(position =>
        position === undefined
          ? []
          : position.lots.map(lot => lotView(this.instrument, position.direction, lot)),
      ),
    )
  }

  get orders(): readonly OrderView[] {
    return Object.freeze(
      this.#ledger.orders.working
        .filter(({ request }) => this.#books.has(request) && !this.#hasExpired(request.clientOrderId))
        .map(order => this.order(order)),
    )
  }

  /** Levels of its active trailing stops, in ticks. */
  get trailingLevels(): readonly { readonly clientOrderId: string; readonly price: Ticks }[] {
    return this.#ledger.orders.working.flatMap(({ request }) => {
      const { spec, side, clientOrderId } = request
      if (spec.type !== 'trailingStop' || !this.#books.has(request)) return []
      const best = this.#ledger.orders.bestOf(clientOrderId) ?? spec.anchor
      const price = trailingLevel(spec, side === 'buy', best)
      return price === undefined ? [] : [{ clientOrderId, price }]
    })
  }

  order(order: Order): OrderView {
    return orderView(
      this.instrument,
      order,
      this.#ledger.orders.bestOf(order.request.clientOrderId),
      this.#role,
    )
  }

  /** A bound function, because handlers destructure markets. */
  readonly balance = (asset: string): number =>
    amountToNumber(this.#ledger.balances.in(this.instrument.accountType).of(asset))

  /** Sets the latest price in the ledger, if there is one. */
  mark(): void {
    if (!Number.isFinite(this.price)) return
    this.#ledger.mark(this.instrument, roundToTicks(this.instrument, this.price, 'nearest'))
  }
}

/** `best` is the best price that a trailing stop has seen. */
function orderView(
  instrument: Instrument,
  { request, status, filledQuantity }: Order,
  best: Ticks | undefined,
  market: string | undefined,
): OrderView {
  const { price, stopPrice, triggerPrice, activationPrice } = shownPrices(request, best)
  const inQuote = (value: Ticks | undefined) => (value === undefined ? undefined : priceOf(instrument, value))
  return Object.freeze({
    clientOrderId: request.clientOrderId,
    side: request.side,
    purpose: request.purpose,
    type: request.spec.type,
    status,
    price: inQuote(price),
    stopPrice: inQuote(stopPrice),
    triggerPrice: inQuote(triggerPrice),
    activationPrice: inQuote(activationPrice),
    protects: request.protects,
    quantity: quantityOf(instrument, request.quantity),
    filledQuantity: quantityOf(instrument, filledQuantity),
    tag: request.tag,
    market,
  })
}

/** The prices of an order, by the names of its view. */
interface ShownPrices {
  readonly price?: Ticks
  readonly stopPrice?: Ticks | undefined
  readonly triggerPrice?: Ticks
  readonly activationPrice?: Ticks | undefined
}

const NO_PRICES: ShownPrices = {}

function shownPrices({ spec, side }: OrderRequest, best: Ticks | undefined): ShownPrices {
  if (spec.type === 'market') return NO_PRICES
  if (spec.type !== 'trailingStop') return spec
  const { activationPrice, anchor } = spec
  return { activationPrice, stopPrice: trailingLevel(spec, side === 'buy', best ?? anchor) }
}

function lotView(instrument: Instrument, direction: Direction, lot: Lot): LotView {
  return Object.freeze({
    clientOrderId: lot.clientOrderId,
    direction,
    quantity: quantityOf(instrument, lot.quantity),
    entryPrice: priceOf(instrument, lot.price),
    openedAt: lot.time,
    tag: lot.tag,
  })
}

/** Net position of both sides: the larger one, less the other. */
function netOf({ long, short }: Positions): PositionView {
  const quantity = Math.abs(long.quantity - short.quantity)
  if (quantity === 0) return FLAT
  return Object.freeze({ ...(long.quantity > short.quantity ? long : short), quantity })
}

function positionView(instrument: Instrument, position: Position | undefined): PositionView {
  const first = position?.lots[0]
  if (position === undefined || first === undefined) return FLAT
  const cost = position.lots.reduce((sum, lot) => sum + priceOf(instrument, lot.price) * lot.quantity, 0)
  return Object.freeze({
    direction: position.direction,
    quantity: quantityOf(instrument, position.quantity),
    entryPrice: cost / position.quantity,
    openedAt: first.time,
  })
}
