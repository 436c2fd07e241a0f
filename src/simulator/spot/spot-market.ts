import type { Instrument } from '../../domain/instrument.ts'
import { ZERO } from '../../domain/numbers/amount.ts'
import { NO_STEPS, type Steps, type Ticks } from '../../domain/numbers/grid.ts'
import { oppositeOf } from '../../domain/orders/side.ts'
import type { ObservedFill } from '../../matching/working-order.ts'
import { OrderBook } from './order-book.ts'
import type { Execution } from './own-trade.ts'
import { openQuantityAt, payingAsset, reserveOf, type SimulatedSpotOrder } from './spot-order.ts'

/** Callbacks of a market while it trades. */
export interface SpotMarketEvents {
  /** Two orders met. The listener must move the money before it returns. */
  readonly executed: (execution: Omit<Execution, 'id'>) => void
  /** An order has ended: filled or canceled. */
  readonly finished: (order: SimulatedSpotOrder) => void
}

/** The order book of one instrument and the rules by which orders meet on it. */
export class SpotMarket {
  readonly instrument: Instrument
  readonly book = new OrderBook()
  readonly #events: SpotMarketEvents

  constructor(instrument: Instrument, events: SpotMarketEvents) {
    this.instrument = instrument
    this.#events = events
  }

  /**
   * Places an order of an account with sufficient funds: reserves, trades at once against matching orders;
   * the remainder rests or is canceled.
   */
  place(order: SimulatedSpotOrder): void {
    this.reserve(order)
    this.enter(order, order.time)
  }

  /** Reserves the largest payment of an order; a waiting stop only reserves. */
  reserve(order: SimulatedSpotOrder): void {
    const reserve = reserveOf(order)
    order.account.lock(payingAsset(order), reserve)
    order.locked = reserve
  }

  /** Lets an order that has reserved meet the book at `time`, ms UTC. */
  enter(order: SimulatedSpotOrder, time: number): void {
    order.workingSince = time
    if (this.#mayTrade(order)) this.#match(order, time)
    this.#settleRest(order)
  }

  /** Books a fill of an order with a counterparty that trades exactly as much. */
  trade(
    { order, price, quantity, time, liquidity }: ObservedFill<SimulatedSpotOrder>,
    counterparty: SimulatedSpotOrder,
  ): void {
    this.reserve(counterparty)
    const [maker, taker] = liquidity === 'maker' ? [order, counterparty] : [counterparty, order]
    this.#events.executed({ maker, taker, price, quantity, time })
    this.#finish(counterparty, 'FILLED')
  }

  /** Ends an order that is not on the book: filled where it is complete, or else canceled. */
  end(order: SimulatedSpotOrder): void {
    this.#finish(order, this.#isComplete(order) ? 'FILLED' : 'CANCELED')
  }

  /** Removes an open order from the book and frees its reserve. */
  cancel(order: SimulatedSpotOrder): void {
    this.book.remove(order)
    this.#finish(order, 'CANCELED')
  }

  /** POST_ONLY must not take, FOK must be able to take everything. */
  #mayTrade(order: SimulatedSpotOrder): boolean {
    if (order.type === 'POST_ONLY') return false
    if (order.type !== 'FOK' || order.price === undefined) return true
    const available = this.book.quantityWithin(oppositeOf(order.side), order.price)
    return available >= openQuantityAt(order, order.price)
  }

  #match(taker: SimulatedSpotOrder, time: number): void {
    for (;;) {
      const level = this.book.best(oppositeOf(taker.side))
      const maker = level?.orders[0]
      if (level === undefined || maker === undefined || !accepts(taker, level.price)) return
      const quantity = lesser(openQuantityAt(maker, level.price), openQuantityAt(taker, level.price))
      if (quantity === NO_STEPS) return
      this.#events.executed({ maker, taker, price: level.price, quantity, time })
      if (openQuantityAt(maker, level.price) === NO_STEPS) {
        this.book.remove(maker)
        this.#finish(maker, 'FILLED')
      }
    }
  }

  #settleRest(order: SimulatedSpotOrder): void {
    if (this.#isComplete(order)) this.#finish(order, 'FILLED')
    else if (order.price !== undefined && this.#rests(order)) this.book.add(order, order.price)
    else this.#finish(order, 'CANCELED')
  }

  /** A market buy is complete when its change no longer pays for one step. */
  #isComplete(order: SimulatedSpotOrder): boolean {
    if (order.size.unit === 'base') return order.executedQuantity === order.size.quantity
    if (order.executedNotional === order.size.amount) return true
    const price = this.book.best(oppositeOf(order.side))?.price
    return order.executedQuantity > 0 && price !== undefined && openQuantityAt(order, price) === NO_STEPS
  }

  #rests(order: SimulatedSpotOrder): boolean {
    if (order.type === 'LIMIT' || order.type === 'STOP') return true
    const best = this.book.best(oppositeOf(order.side))
    return order.type === 'POST_ONLY' && (best === undefined || !accepts(order, best.price))
  }

  #finish(order: SimulatedSpotOrder, status: 'FILLED' | 'CANCELED'): void {
    order.status = status
    order.account.unlock(payingAsset(order), order.locked)
    order.locked = ZERO
    this.#events.finished(order)
  }
}

/** True if an order trades at a price; one without a limit trades at any. */
function accepts({ side, price: limit }: SimulatedSpotOrder, price: Ticks): boolean {
  if (limit === undefined) return true
  return side === 'buy' ? price <= limit : price >= limit
}

function lesser(left: Steps, right: Steps): Steps {
  return left < right ? left : right
}
