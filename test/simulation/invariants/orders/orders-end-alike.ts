import type { OrderUpdated } from '../../../../src/domain/events/engine-event.ts'
import { add, amountToText, ZERO } from '../../../../src/domain/numbers/amount.ts'
import { baseAmount } from '../../../../src/domain/numbers/grid.ts'
import type { Order } from '../../../../src/domain/orders/order.ts'
import { isForcedClose } from '../../../../src/domain/orders/order-intent.ts'
import { wholeId } from '../../../../src/domain/orders/order-parts.ts'
import { isWorking, type OrderStatus } from '../../../../src/domain/orders/order-status.ts'
import { type Moment, openOrders, ownOrders, type Scene, type Violation } from '../scene.ts'
import type { ExchangeOrder } from './exchange-order.ts'

/** What each end at the exchange is to us; what the market did not fill at once ends as canceled. */
const ENDS: Readonly<Record<ExchangeOrder['status'], readonly OrderStatus[]>> = {
  INIT: [],
  NEW: [],
  PARTIALLY_FILLED: [],
  PENDING_CANCEL: [],
  FILLED: ['filled'],
  CANCELED: ['canceled'],
  REJECTED: ['rejected', 'expired'],
  EXPIRED: ['expired'],
}

/** What ends an order with us: it must not be able to trade any more. */
const ENDINGS: ReadonlySet<OrderUpdated['event']> = new Set(['canceled', 'expired', 'rejected', 'notPlaced'])

/** Nothing counts as over while the exchange still works it. */
export function endIsReal({
  event,
  user,
  futures,
}: Pick<Moment, 'event' | 'user' | 'futures'>): readonly Violation[] {
  if (event.type !== 'orderUpdated' || !ENDINGS.has(event.event)) return []
  const about = event.clientOrderId
  const order = openOrders({ user, futures }).find(
    ({ clientOrderId }) => wholeId(clientOrderId ?? '') === about,
  )
  if (order === undefined) return []
  return [
    { problem: `order ${about} counts as ${event.event}, but the exchange has it as ${order.status}`, about },
  ]
}

/** Every order ends in a state that both sides agree on; one that left in parts is filled where all of them are. */
export function ordersEndAlike(scene: Scene): readonly Violation[] {
  const { ledger } = scene
  const sent = Map.groupBy(ownOrders(scene), ({ clientOrderId = '' }) => wholeId(clientOrderId))
  const real = [...sent].flatMap(([about, orders]) => {
    const own = ledger.orders.get(about)
    if (own === undefined) return [{ problem: `order ${about} is not in the ledger`, about }]
    const status = orders.find(order => order.status !== 'FILLED')?.status ?? 'FILLED'
    const isInParts = orders.some(({ clientOrderId }) => clientOrderId !== about)
    const agrees =
      ENDS[status].includes(own.status) ||
      (status === 'CANCELED' && own.status === 'expired' && own.request.terms?.expiresAfter !== undefined) ||
      (status === 'FILLED' && (fellShort(own) || leftSmaller(orders, own, ledger))) ||
      (status === 'CANCELED' && own.status === 'filled' && leftLarger(orders, own, ledger)) ||
      (isInParts && ENDS[status].length > 0 && !isWorking(own.status))
    if (!agrees) return [{ problem: `order ${about} is ${status}, booked as ${own.status}`, about }]
    // Both sides may count in other steps.
    const executed = orders.reduce((sum, order) => add(sum, order.executed), ZERO)
    const booked = baseAmount(ledger.instrument(own.request.symbol), own.filledQuantity)
    if (booked === executed) return []
    const problem = `order ${about} executed ${amountToText(executed)}, booked ${amountToText(booked)}`
    return [{ problem, about }]
  })
  const imagined = ledger.orders.remembered
    .filter(({ request }) => !isForcedClose(request.purpose) && !sent.has(request.clientOrderId))
    .filter(({ request, status }) => !neverLeft(status, request.protects))
    .map(({ request: { clientOrderId }, status }) => ({
      problem: `order ${clientOrderId} is ${status}, but the exchange has none`,
      about: clientOrderId,
    }))
  return [...real, ...imagined]
}

/** Whether a protective order was to become larger once it had left. */
function fellShort({ request, status, filledQuantity }: Order): boolean {
  return request.protects !== undefined && status === 'canceled' && filledQuantity < request.quantity
}

/** Where an order may stand that the exchange never saw: given up, or protecting from the trigger book. */
function neverLeft(status: OrderStatus, protects: string | undefined): boolean {
  return !isWorking(status) ? status !== 'filled' : protects !== undefined
}

/** True if a closing left for less than it was to trade, within the decimals that the exchange takes by now. */
function leftSmaller(
  orders: readonly ExchangeOrder[],
  { request, status }: Order,
  ledger: Scene['ledger'],
): boolean {
  const sent = orders.reduce((sum, { quantity = ZERO }) => add(sum, quantity), ZERO)
  const wanted = baseAmount(ledger.instrument(request.symbol), request.quantity)
  return request.reduceOnly && status === 'canceled' && sent < wanted
}

/** Whether an order left for more than was to be traded in the end: what it was to close was closed in part meanwhile. */
function leftLarger(orders: readonly ExchangeOrder[], { request }: Order, ledger: Scene['ledger']): boolean {
  const sent = orders.reduce((sum, { quantity = ZERO }) => add(sum, quantity), ZERO)
  return request.reduceOnly && sent > baseAmount(ledger.instrument(request.symbol), request.quantity)
}
