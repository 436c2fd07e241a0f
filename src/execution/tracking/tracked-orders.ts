import { type Steps, steps } from '../../domain/numbers/grid.ts'
import { wholeId } from '../../domain/orders/order-parts.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'
import { isBeside, type OtherExit } from '../gates/exit-gate.ts'
import { isOfGroup } from '../gates/oco-gate.ts'
import { mayRest } from '../gateway/placement.ts'
import type { TrackedOrder } from './tracked-order.ts'

/** Ids of the exchange that are kept of orders that have ended; a lost order is looked for within minutes. */
const ENDED_IDS = 10_000

/**
 * The orders at the exchange or being sent there, by their clientOrderIds there: of an order, or of a part of
 * it.
 */
export class TrackedOrders {
  readonly #byId = new Map<string, TrackedOrder>()
  /** Ids of the exchange of orders that have ended, and of parts, which the ledger does not know; the latest. */
  readonly #ended = new Set<string>()

  /** Number of orders that have not ended. */
  get size(): number {
    return this.#byId.size
  }

  /** All tracked orders, oldest first. */
  get all(): readonly TrackedOrder[] {
    return [...this.#byId.values()]
  }

  /** The engine's ids of all tracked orders, each once. */
  get wholeIds(): readonly string[] {
    return wholeIdsOf(this.all)
  }

  get(clientOrderId: string): TrackedOrder | undefined {
    return this.#byId.get(clientOrderId)
  }

  has(clientOrderId: string): boolean {
    return this.#byId.has(clientOrderId)
  }

  /** True if an order has that id of the exchange. */
  hasAtExchange(exchangeOrderId: string): boolean {
    return this.all.some(order => order.exchangeOrderId === exchangeOrderId)
  }

  /** True if an order has that id of the exchange, or an ended one had it. */
  hasHadAtExchange(exchangeOrderId: string): boolean {
    return this.#ended.has(exchangeOrderId) || this.hasAtExchange(exchangeOrderId)
  }

  add(order: TrackedOrder): void {
    this.#byId.set(order.request.clientOrderId, order)
  }

  remove(order: TrackedOrder): void {
    this.#byId.delete(order.request.clientOrderId)
    if (order.exchangeOrderId !== undefined) this.noteEnded(order.exchangeOrderId)
  }

  /** Remembers an id of the exchange of an order that has ended, also before this start. */
  noteEnded(exchangeOrderId: string): void {
    this.#ended.add(exchangeOrderId)
    const [oldest] = this.#ended
    if (this.#ended.size > ENDED_IDS && oldest !== undefined) this.#ended.delete(oldest)
  }

  partsOf(clientOrderId: string): readonly TrackedOrder[] {
    const whole = this.#byId.get(clientOrderId)
    if (whole !== undefined) return [whole]
    return this.all.filter(({ request }) => wholeId(request.clientOrderId) === clientOrderId)
  }

  /** The engine's ids of entries waiting to be sent. */
  waitingEntries(isMeant: (request: OrderRequest) => boolean): readonly string[] {
    const waiting = this.all.filter(({ wasSent }) => !wasSent)
    return wholeIdsOf(waiting.filter(({ request }) => !request.reduceOnly && isMeant(request)))
  }

  /** Orders that may still reduce the position which another one reduces. */
  exitsBeside(order: OrderRequest): readonly OtherExit[] {
    const exits: OtherExit[] = []
    for (const { request, booked } of this.#byId.values()) {
      const open = request.quantity - booked
      if (request.reduceOnly && isBeside(request, order) && open > 0) exits.push({ request, open })
    }
    return exits
  }

  /** Other orders of the same group. */
  groupOf(order: OrderRequest): readonly string[] {
    const members = this.all.filter(({ request }) => isOfGroup(request, order))
    return wholeIdsOf(members).filter(id => id !== order.clientOrderId)
  }

  /**
   * True while an order (of a symbol) lacks its id at the exchange: a trade of an unknown order may then be
   * its.
   */
  hasUnconfirmed(symbol?: string): boolean {
    for (const { request, exchangeOrderId } of this.#byId.values())
      if ((symbol ?? request.symbol) === request.symbol && exchangeOrderId === undefined) return true
    return false
  }

  /** True while an order has executed more than what is listed of own trades: the account may have that already. */
  get hasUnlisted(): boolean {
    for (const { unlisted } of this.#byId.values()) if (unlisted !== undefined) return true
    return false
  }

  /** Steps that sales of a symbol have executed beyond what is listed of own trades. */
  unlistedSalesOf(symbol: string): Steps {
    const parts = this.#salesOf(symbol).map(({ unlisted, booked }) => (unlisted?.executed ?? booked) - booked)
    return steps(parts.reduce((sum, part) => sum + part, 0))
  }

  /** Steps that sales of a symbol offer at the exchange, where these rest: it locks their base. */
  offeredOf(symbol: string): Steps {
    const resting = this.#salesOf(symbol).filter(
      ({ request, exchangeOrderId }) => exchangeOrderId !== undefined && mayRest(request),
    )
    return steps(
      resting.reduce((sum, { request, unlisted, booked }) => {
        return sum + request.quantity - (unlisted?.executed ?? booked)
      }, 0),
    )
  }

  #salesOf(symbol: string): readonly TrackedOrder[] {
    return this.all.filter(({ request }) => request.symbol === symbol && request.side === 'sell')
  }
}

function wholeIdsOf(orders: readonly TrackedOrder[]): readonly string[] {
  return [...new Set(orders.map(({ request }) => wholeId(request.clientOrderId)))]
}
