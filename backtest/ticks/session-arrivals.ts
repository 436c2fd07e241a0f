import { type Grid, priceText, quantityText, ticksOf } from '../../src/domain/numbers/grid.ts'
import type { OrderRequest } from '../../src/domain/orders/order-request.ts'
import { SampledLatency } from '../../src/matching/sampled-latency.ts'
import type { SessionRow } from '../../src/matching/session-row.ts'
import { fixedArrivals, type OrderArrivals } from '../models/order-arrivals.ts'

/** An order of a session, and when its cancel arrived. */
interface SessionOrder extends Extract<SessionRow, { type: 'order' }> {
  cancelArrivesAt?: number | undefined
}

/**
 * Arrivals as in a recorded session. An order that the same decision made there, or else the next one there of the
 * same side, price and quantity, arrives when it arrived there, at the terms with which it was sent, and so does its
 * cancel. Others arrive after a delay drawn from those of the session; without any, after `latencyMs`.
 */
export function sessionArrivals(
  rows: readonly SessionRow[],
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
    sentAs: (request, sentAt) => {
      const order = of(request, sentAt)
      if (order === undefined) return undefined
      return { kind: order.kind, limit: order.limit === undefined ? undefined : ticksOf(grid, order.limit) }
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
  { clientOrderId, side, spec, quantity }: OrderRequest,
  grid: Grid,
  sentAt: number,
): SessionOrder | undefined {
  const ofSide = [...orders].filter(order => order.side === side)
  const decision = decisionOf(clientOrderId)
  const same = ofSide.find(order => decisionOf(order.clientOrderId ?? '') === decision)
  const price = spec.type === 'limit' ? priceText(grid, spec.price) : undefined
  if (same !== undefined || price === undefined) return same
  const wanted = quantityText(grid, quantity)
  return ofSide.find(order => order.at >= sentAt && order.limit === price && order.quantity === wanted)
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
