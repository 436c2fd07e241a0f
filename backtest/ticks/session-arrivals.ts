import { type Grid, priceText, quantityText, ticksOf } from '../../src/domain/numbers/grid.ts'
import { type OrderRequest, triggerOf } from '../../src/domain/orders/order-request.ts'
import { SampledLatency } from '../../src/matching/sampled-latency.ts'
import type { SessionRow } from '../../src/matching/session-row.ts'
import { termsOf } from '../models/matching-terms.ts'
import { fixedArrivals, type OrderArrivals } from '../models/order-arrivals.ts'
import type { SessionOrders } from './tick-data.ts'

/** An order of a session, and when its cancel arrived. */
interface SessionOrder extends Extract<SessionRow, { type: 'order' }> {
  cancelArrivesAt?: number | undefined
}

/**
 * Arrivals as in a recorded session. An order that the same decision made there on the same terms, or else the next
 * limit order there of the same side, price and quantity, arrives when it arrived there, and so does its cancel. Others
 * arrive after a delay drawn from those of the session; without any, after `latencyMs`.
 */
export function sessionArrivals(
  { rows }: SessionOrders,
  symbol: string,
  grid: Grid,
  latencyMs: number,
): OrderArrivals {
  const orders = ordersIn(rows, symbol)
  const others = sampledArrivals(orders, latencyMs)
  const unused = new Set(orders)
  const found = new Map<string, SessionOrder | undefined>()
  const of = (request: OrderRequest, sentAt: number) => {
    const { clientOrderId } = request
    if (found.has(clientOrderId)) return found.get(clientOrderId)
    const order = sameIn(unused, request, grid, sentAt)
    if (order !== undefined) unused.delete(order)
    found.set(clientOrderId, order)
    return order
  }
  return {
    ofOrder: (request, sentAt) => of(request, sentAt)?.arrivesAt ?? others.ofOrder(request, sentAt),
    ofCancel: (request, sentAt) => of(request, sentAt)?.cancelArrivesAt ?? others.ofCancel(request, sentAt),
    capOf: (request, sentAt) => {
      if (termsOf(request).limit !== undefined) return undefined
      const order = of(request, sentAt)
      const isSent = order?.kind === 'immediate' && order.limit !== undefined
      return isSent ? ticksOf(grid, order.limit) : undefined
    },
  }
}

function ordersIn(rows: readonly SessionRow[], symbol: string): readonly SessionOrder[] {
  const orders = new Map<string, SessionOrder>()
  for (const row of rows) {
    if (row.symbol !== symbol) continue
    if (row.type === 'order') orders.set(row.order, { ...row })
    const order = row.type === 'cancel' ? orders.get(row.order) : undefined
    if (order !== undefined && row.type === 'cancel') order.cancelArrivesAt ??= row.arrivesAt
  }
  return [...orders.values()]
}

function sameIn(
  orders: ReadonlySet<SessionOrder>,
  request: OrderRequest,
  grid: Grid,
  sentAt: number,
): SessionOrder | undefined {
  const alike = [...orders].filter(order => isAlike(order, request, grid))
  const decision = decisionOf(request.clientOrderId)
  const decided = alike.filter(order => decisionOf(order.clientOrderId ?? '') === decision)
  const quantity = quantityText(grid, request.quantity)
  const same = decided.find(order => order.quantity === quantity) ?? decided[0]
  const { limit } = termsOf(request)
  if (same !== undefined || limit === undefined) return same
  const price = priceText(grid, limit)
  return alike.find(order => order.at >= sentAt && order.limit === price && order.quantity === quantity)
}

/**
 * True for an order of the session of the same side and conduct. An order at market was sent without a limit, or with
 * one beyond the price of its decision; accounts without IOC orders send limit orders for them.
 */
function isAlike({ side, kind, limit }: SessionOrder, request: OrderRequest, grid: Grid): boolean {
  const own = termsOf(request)
  const isOfKind = kind === own.kind || (kind === 'limit' && own.kind === 'immediate')
  if (side !== own.side || !isOfKind) return false
  if (limit === undefined || own.limit !== undefined)
    return (limit === undefined) === (own.limit === undefined)
  const beyond = ticksOf(grid, limit) - (triggerOf(request.spec) ?? request.referencePrice)
  return side === 'buy' ? beyond >= 0 : beyond <= 0
}

/** Time and number of the decision, which a clientOrderId ends with. */
function decisionOf(clientOrderId: string): string {
  return clientOrderId.slice(clientOrderId.indexOf('-') + 1)
}

function sampledArrivals(orders: readonly SessionOrder[], latencyMs: number): OrderArrivals {
  const delays = orders.flatMap(({ at, arrivesAt }) => (arrivesAt === undefined ? [] : [arrivesAt - at]))
  if (delays.length === 0) return fixedArrivals(latencyMs)
  const latency = new SampledLatency('session')
  for (const delay of delays) latency.measure(delay)
  const arrival = (_: OrderRequest, sentAt: number) => sentAt + latency.next()
  return { ofOrder: arrival, ofCancel: arrival }
}
