import type { Order } from '../../../../src/domain/orders/order.ts'
import type { Ledger } from '../../../../src/ledger/ledger.ts'
import type { Moment, Violation } from '../scene.ts'

/** Once an entry of a group fills, the others are taken back; two of a group fill only where both rest at the exchange, and that is told. */
export function groupsKept({ event, decisions, ledger, after }: Moment): readonly Violation[] {
  if (event.type !== 'filled') return []
  const about = event.fill.clientOrderId
  const own = ledger.orders.get(about)
  if (own?.request.terms?.oco === undefined) return []
  const others = groupOf(ledger, own)
  const left = others.filter(
    order => ledger.orders.working.includes(order) && !after.canceled.has(order.request.clientOrderId),
  )
  const second = others.filter(({ filledQuantity }) => filledQuantity > 0)
  const isFirstFill = own.filledQuantity === event.fill.quantity
  const isTold = decisions.some(({ type }) => type === 'groupOverfilled')
  const problems = [
    ...left.map(({ request }) => `${request.clientOrderId} still rests`),
    ...(second.length > 0 && isFirstFill && !isTold ? ['nobody says that another one filled'] : []),
    ...[own, ...second]
      .filter(({ request }) => second.length > 0 && !restsAtExchange(request.spec.type))
      .map(({ request }) => `${request.clientOrderId} filled beside another one`),
  ]
  return problems.map(problem => ({ problem: `of the group of ${about}: ${problem}`, about }))
}

/** Other orders of an order's group. */
export function groupOf(ledger: Ledger, { request }: Pick<Order, 'request'>): readonly Order[] {
  const group = request.terms?.oco
  if (group === undefined) return []
  return ledger.orders.remembered.filter(
    other => other.request.terms?.oco === group && other.request.clientOrderId !== request.clientOrderId,
  )
}

/** Whatever waits for its price is sent once no other one of its group is at the exchange. */
function restsAtExchange(type: Order['request']['spec']['type']): boolean {
  return type === 'limit'
}
