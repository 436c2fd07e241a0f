import { NO_STEPS, type Steps, type Ticks } from '../../domain/numbers/grid.ts'
import { oppositeOf, type Side } from '../../domain/orders/side.ts'
import type { ObservedFill } from '../../matching/working-order.ts'
import { OrderBook, quantityAt } from '../spot/order-book.ts'
import { isLive, openVolumeOf } from './orders/futures-order.ts'
import type { FuturesExecution, SimulatedFuturesOrder } from './positions/futures-account.ts'

/** Callbacks of a market while it trades. */
export interface FuturesMarketEvents {
  /** Two orders met. The listener must book it before it returns, and may cancel orders. */
  readonly executed: (meeting: Pick<FuturesExecution, 'maker' | 'taker' | 'price' | 'volume'>) => void
  /** An order has ended. The listener frees its reserve. */
  readonly finished: (order: SimulatedFuturesOrder) => void
}

/** The order book of one contract and the rules by which orders meet on it: price first, then time. */
export class FuturesMarket {
  readonly book = new OrderBook<SimulatedFuturesOrder>()
  readonly #events: FuturesMarketEvents

  constructor(events: FuturesMarketEvents) {
    this.#events = events
  }

  /** Trades an order at once against matching orders; the remainder rests or is canceled. */
  place(order: SimulatedFuturesOrder): void {
    if (this.#mayTrade(order)) this.#match(order)
    if (!isLive(order)) return
    if (openVolumeOf(order) === NO_STEPS) this.#finish(order, 'FILLED')
    else if (order.price !== undefined && this.#rests(order)) this.book.add(order, order.price)
    else this.#finish(order, 'CANCELED')
  }

  /** Books a fill of an order with a counterparty that trades exactly as much. */
  trade(
    { order, price, quantity, liquidity }: ObservedFill<SimulatedFuturesOrder>,
    counterparty: SimulatedFuturesOrder,
  ): void {
    const [maker, taker] = liquidity === 'maker' ? [order, counterparty] : [counterparty, order]
    this.#events.executed({ maker, taker, price, volume: quantity })
    this.#finish(counterparty, 'FILLED')
  }

  /** Ends an order that is not on the book: filled where it is complete, or else canceled. */
  end(order: SimulatedFuturesOrder): void {
    if (isLive(order)) this.#finish(order, openVolumeOf(order) === NO_STEPS ? 'FILLED' : 'CANCELED')
  }

  /** Takes an order off the book. */
  cancel(order: SimulatedFuturesOrder): void {
    this.book.remove(order)
    this.#finish(order, 'CANCELED')
  }

  /** The price of the last contract that a taker of `volume` on `side` would get within `limit`; `undefined` if it would get none. */
  lastPriceFor(side: Side, volume: Steps, limit: Ticks): Ticks | undefined {
    let [last, total]: [Ticks | undefined, number] = [undefined, 0]
    for (const level of this.book.levels(oppositeOf(side))) {
      if (total >= volume || !isWithin(side, limit, level.price)) break
      last = level.price
      total += quantityAt(level)
    }
    return last
  }

  /** POST_ONLY must not take, FOK must be able to take everything. */
  #mayTrade(order: SimulatedFuturesOrder): boolean {
    if (order.type === 'POST_ONLY') return false
    if (order.type !== 'FOK') return true
    return this.book.quantityWithin(oppositeOf(order.side), order.limit) >= openVolumeOf(order)
  }

  #match(taker: SimulatedFuturesOrder): void {
    for (;;) {
      const level = this.book.best(oppositeOf(taker.side))
      const maker = level?.orders[0]
      if (level === undefined || maker === undefined) return
      if (!isLive(taker) || !isWithin(taker.side, taker.limit, level.price)) return
      const volume = lesser(openVolumeOf(maker), openVolumeOf(taker))
      if (volume === NO_STEPS) return
      this.#events.executed({ maker, taker, price: level.price, volume })
      if (isLive(maker) && openVolumeOf(maker) === NO_STEPS) {
        this.book.remove(maker)
        this.#finish(maker, 'FILLED')
      }
    }
  }

  #rests(order: SimulatedFuturesOrder): boolean {
    if (order.type === 'LIMIT') return true
    const best = this.book.best(oppositeOf(order.side))
    return (
      order.type === 'POST_ONLY' && (best === undefined || !isWithin(order.side, order.limit, best.price))
    )
  }

  #finish(order: SimulatedFuturesOrder, status: 'FILLED' | 'CANCELED'): void {
    order.status = status
    this.#events.finished(order)
  }
}

/** True if an order on `side` with a worst price of `limit` trades at `price`. */
function isWithin(side: Side, limit: Ticks, price: Ticks): boolean {
  return side === 'buy' ? price <= limit : price >= limit
}

/** The smaller of two volumes. */
export function lesser(left: Steps, right: Steps): Steps {
  return left < right ? left : right
}
