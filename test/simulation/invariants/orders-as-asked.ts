import { add, ZERO } from '../../../src/domain/amount.ts'
import { bookOf } from '../../../src/domain/book-names.ts'
import { baseAmount, priceAmount } from '../../../src/domain/grid.ts'
import { wholeId } from '../../../src/domain/order-parts.ts'
import type { OrderRequest } from '../../../src/domain/order-request.ts'
import type { SpotOrder, SpotOrderType } from '../../../src/simulator/spot-order.ts'
import { ownOrders, ownTrades, type Scene, type Violation } from './scene.ts'

/** What is at the exchange is what was decided: its kind, its side, its price and no more than its quantity; what must not take has not, and what fills whole or not at all did so. */
export function ordersAsAsked(scene: Scene): readonly Violation[] {
  const { ledger } = scene
  const takers = new Set(
    ownTrades(scene).flatMap(({ order, liquidity }) => (liquidity === 'taker' ? [order.id] : [])),
  )
  const sent = Map.groupBy(ownOrders(scene), ({ clientOrderId = '' }) => wholeId(clientOrderId))
  return [...sent].flatMap(([about, orders]) => {
    const request = ledger.orders.get(about)?.request
    if (request === undefined) return []
    const problems = orders.flatMap(order => [
      ...different(scene, request, order),
      ...(order.type === 'POST_ONLY' && takers.has(order.id) ? ['took although it is post-only'] : []),
      ...(order.type === 'FOK' && isInPart(order) ? ['filled in part although it is fill-or-kill'] : []),
    ])
    if (isTooMuch(scene, request, orders)) problems.push('is larger than was asked for')
    return problems.map(problem => ({ problem: `order ${about} of ${bookOf(request)} ${problem}`, about }))
  })
}

function different({ ledger }: Scene, request: OrderRequest, order: SpotOrder): readonly string[] {
  const type = typeOf(request)
  const wrong: string[] = []
  if (order.side !== request.side || order.instrument.symbol !== request.symbol)
    wrong.push(`is a ${order.side} of ${order.instrument.symbol}`)
  if (order.type !== type) wrong.push(`is ${order.type}, not ${type}`)
  const asked =
    request.spec.type === 'limit' || request.spec.type === 'stopLimit'
      ? priceAmount(ledger.instrument(request.symbol), request.spec.price)
      : undefined
  const price = order.price === undefined ? undefined : priceAmount(order.instrument, order.price)
  if (asked !== undefined && price !== asked) wrong.push(`has the price ${price}, not ${asked}`)
  return wrong
}

function typeOf({ spec, side, purpose }: OrderRequest): SpotOrderType {
  if (spec.type !== 'limit' && spec.type !== 'stopLimit') return side === 'sell' ? 'MARKET' : 'IOC'
  if (purpose === 'takeProfit') return 'IOC'
  const kind = spec.type === 'limit' ? spec.kind : undefined
  return ({ ioc: 'IOC', fok: 'FOK', postOnly: 'POST_ONLY', none: 'LIMIT' } as const)[kind ?? 'none']
}

/** A protective order may have become smaller once it had left. */
function isTooMuch({ ledger }: Scene, request: OrderRequest, orders: readonly SpotOrder[]): boolean {
  if (request.protects !== undefined) return false
  const quantity = orders.reduce(
    (sum, { size, instrument }) =>
      add(sum, size.unit === 'base' ? baseAmount(instrument, size.quantity) : ZERO),
    ZERO,
  )
  return quantity > baseAmount(ledger.instrument(request.symbol), request.quantity)
}

function isInPart({ size, executedQuantity }: SpotOrder): boolean {
  return size.unit === 'base' && executedQuantity > 0 && executedQuantity < size.quantity
}
