import { amountToNumber } from '../domain/amount.ts'
import { priceOf, quantityOf, roundToTicks } from '../domain/grid.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { Order } from '../domain/order.ts'
import type { Position } from '../domain/position.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { OrderView, PositionView, StrategyView } from '../strategy/strategy-view.ts'

const FLAT: PositionView = {
  direction: 'flat',
  quantity: 0,
  entryPrice: Number.NaN,
  openedAt: Number.NaN,
}

/** The ledger as one strategy sees it: plain numbers, always of the present moment. */
export class DeskView implements StrategyView {
  readonly instrument: Instrument
  /** Market time, ms UTC; set by the desk. */
  time = Number.NaN
  /** Latest price, quote per base; set by the desk. */
  price = Number.NaN
  readonly #ledger: Ledger
  #seen: { position: Position | undefined; view: PositionView } = { position: undefined, view: FLAT }

  constructor(instrument: Instrument, ledger: Ledger) {
    this.instrument = instrument
    this.#ledger = ledger
  }

  get position(): PositionView {
    const position = this.#ledger.position(this.instrument.symbol)
    if (position !== this.#seen.position)
      this.#seen = { position, view: positionView(this.instrument, position) }
    return this.#seen.view
  }

  get orders(): readonly OrderView[] {
    return this.#ledger.orders.working
      .filter(order => order.request.symbol === this.instrument.symbol)
      .map(order => orderView(this.instrument, order))
  }

  get equity(): number {
    if (Number.isFinite(this.price)) {
      this.#ledger.mark(this.instrument, roundToTicks(this.instrument, this.price, 'nearest'))
    }
    return amountToNumber(this.#ledger.equity(this.instrument.quote))
  }
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
