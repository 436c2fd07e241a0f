import type { Instrument } from '../domain/instrument.ts'
import type { Kline } from '../domain/market-data/kline.ts'
import { priceOf, roundToTicks, type Steps, type Ticks, ticks } from '../domain/numbers/grid.ts'
import type { Order } from '../domain/orders/order.ts'
import type { OrderRequest } from '../domain/orders/order-request.ts'
import { betterPrice, trailingLevel } from '../domain/orders/trailing-stop.ts'

/** Present prices of the market, quote per base. */
export interface Quote {
  readonly bid: number
  readonly ask: number
  readonly last: number
}

/** The best price that a trailing stop has seen. */
export interface TrailMove {
  readonly clientOrderId: string
  readonly best: Ticks
}

interface Waiting {
  request: OrderRequest
  readonly instrument: Instrument
  /** Best price since entry in ticks, for trailing stops; NaN for others. */
  best: number
  /** The best price emitted last. */
  told: number
  /** True once a quote did not reach its price. */
  isTested: boolean
}

/**
 * Waiting orders of types that the spot interface lacks: stops, stop-limits, trailing stops, if-touched
 * orders, and take-profits (a resting one would lock the balance that its stop-loss needs). They are inactive
 * while the bot is down; after a restart they wait here again, and one with a passed trigger is sent at the
 * first quote.
 */
export class TriggerBook {
  readonly #waiting = new Map<string, Waiting>()

  /** True if an order belongs here rather than at the exchange. */
  static holds({ spec, purpose }: OrderRequest): boolean {
    return purpose === 'takeProfit' || (spec.type !== 'market' && spec.type !== 'limit')
  }

  /**
   * True if an order was never sent to the exchange according to the ledger: the bot watches its price, or
   * did until its end.
   */
  static hasKept({ request, exchangeOrderId, status }: Order): boolean {
    return TriggerBook.holds(request) && exchangeOrderId === undefined && status !== 'unknown'
  }

  /** True while no order waits. */
  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  /** Orders that wait, oldest first. */
  get requests(): readonly OrderRequest[] {
    return Array.from(this.#waiting.values(), ({ request }) => request)
  }

  /**
   * Present stop price of a waiting trailing stop; `undefined` before its activation, and for other orders.
   */
  stopPriceOf(clientOrderId: string): Ticks | undefined {
    const waiting = this.#waiting.get(clientOrderId)
    if (waiting?.request.spec.type !== 'trailingStop') return undefined
    const { spec, side } = waiting.request
    return trailingLevel(spec, side === 'buy', waiting.best)
  }

  /** Adds an order; `best` is the best price that a trailing stop has seen before. */
  add(instrument: Instrument, request: OrderRequest, best?: Ticks): void {
    const from = request.spec.type === 'trailingStop' ? (best ?? request.spec.anchor) : Number.NaN
    this.#waiting.set(request.clientOrderId, { request, instrument, best: from, told: from, isTested: false })
  }

  /** True for a waiting order whose price a quote did not reach, false before the first; `undefined` if it does not wait. */
  isTested(clientOrderId: string): boolean | undefined {
    return this.#waiting.get(clientOrderId)?.isTested
  }

  /** New best prices of trailing stops since the last call. */
  drainMoves(): readonly TrailMove[] {
    const moves: TrailMove[] = []
    for (const [clientOrderId, waiting] of this.#waiting) {
      const { best, told } = waiting
      if (best === told || Number.isNaN(best)) continue
      waiting.told = best
      moves.push({ clientOrderId, best: ticks(best) })
    }
    return moves
  }

  /** Removes an order; `false` if it does not wait here (any more). */
  remove(clientOrderId: string): boolean {
    return this.#waiting.delete(clientOrderId)
  }

  /** Gives a waiting order a new quantity; `false` if it does not wait here (any more). */
  resize(clientOrderId: string, quantity: Steps): boolean {
    const waiting = this.#waiting.get(clientOrderId)
    if (waiting === undefined) return false
    waiting.request = { ...waiting.request, quantity }
    return true
  }

  /**
   * Moves trailing stops by a closed kline that lies wholly after their decision: it shows extremes between
   * two quotes.
   */
  observeKline(symbol: string, { openTime, high, low }: Kline): void {
    for (const waiting of this.#waiting.values()) {
      const { request, instrument, best } = waiting
      if (request.symbol !== symbol || Number.isNaN(best) || openTime < request.decidedAt) continue
      const isBuy = request.side === 'buy'
      const extreme = roundToTicks(instrument, isBuy ? low : high, 'nearest')
      waiting.best = betterPrice(isBuy, best, extreme)
    }
  }

  /** Removes and returns the triggered orders, oldest first. */
  observe(symbol: string, quote: Quote): readonly OrderRequest[] {
    const triggered: OrderRequest[] = []
    for (const [id, waiting] of this.#waiting) {
      if (waiting.request.symbol !== symbol) continue
      waiting.isTested = true
      if (!isReached(waiting, quote)) continue
      triggered.push(waiting.request)
      this.#waiting.delete(id)
    }
    return triggered
  }
}

function isReached(waiting: Waiting, { bid, ask, last }: Quote): boolean {
  const { request, instrument } = waiting
  const { spec } = request
  const isBuy = request.side === 'buy'
  switch (spec.type) {
    case 'stop':
    case 'stopLimit':
      return beyond(isBuy, last, priceOf(instrument, spec.stopPrice))
    case 'trailingStop': {
      const price = roundToTicks(instrument, last, 'nearest')
      waiting.best = betterPrice(isBuy, waiting.best, price)
      const level = trailingLevel(spec, isBuy, waiting.best)
      return level !== undefined && beyond(isBuy, price, level)
    }
    case 'limit':
      return isBuy ? ask <= priceOf(instrument, spec.price) : bid >= priceOf(instrument, spec.price)
    case 'ifTouched':
      return beyond(!isBuy, last, priceOf(instrument, spec.triggerPrice))
    case 'market':
      return true
  }
}

/** True if a price lies at or beyond the trigger of a stop. */
function beyond(isBuy: boolean, price: number, stopPrice: number): boolean {
  return isBuy ? price >= stopPrice : price <= stopPrice
}
