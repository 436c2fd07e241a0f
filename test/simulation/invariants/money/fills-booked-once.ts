import { add, amountToText, ZERO } from '../../../../src/domain/numbers/amount.ts'
import { baseAmount, NO_STEPS, notionalOf } from '../../../../src/domain/numbers/grid.ts'
import { isForcedClose } from '../../../../src/domain/orders/order-intent.ts'
import { wholeId } from '../../../../src/domain/orders/order-parts.ts'
import { allTrades, type Moment, ownOrders, ownTrades, type Scene, type Violation } from '../scene.ts'

/** What was booked last happened at the exchange, and all that is booked on its order is no more than the exchange executed. */
export function fillIsReal(moment: Moment): readonly Violation[] {
  const { event, ledger } = moment
  if (event.type !== 'filled') return []
  const { id, clientOrderId, price, quantity } = event.fill
  const about = clientOrderId
  const instrument = ledger.instrument(event.fill.symbol)
  // A trade of the account with itself is there twice, once for each order.
  const traded = allTrades(moment).filter(
    trade => trade.id === id && trade.order.account === instrument.accountType,
  )
  const real = traded.find(({ order }) => wholeId(order.clientOrderId ?? '') === clientOrderId) ?? traded[0]
  if (real === undefined) return [{ problem: `fill ${id} never happened`, about }]
  // Both sides may count in other steps and ticks.
  const isSame =
    wholeId(real.order.clientOrderId ?? '') === clientOrderId &&
    real.quantity === baseAmount(instrument, quantity) &&
    real.worth === notionalOf(instrument, price, quantity)
  if (!isSame) return [{ problem: `fill ${id} is not what the exchange traded`, about }]
  const booked = baseAmount(instrument, ledger.orders.get(clientOrderId)?.filledQuantity ?? NO_STEPS)
  const executed = ownOrders(moment)
    .filter(({ clientOrderId: id = '' }) => wholeId(id) === clientOrderId)
    .reduce((sum, part) => add(sum, part.executed), ZERO)
  return booked <= executed
    ? []
    : [{ problem: `${amountToText(booked)} is booked of ${amountToText(executed)} executed`, about }]
}

/** Every fill of the exchange is booked exactly once. */
export function fillsBookedOnce(scene: Scene): readonly Violation[] {
  const booked = new Map<string, string>()
  const violations: Violation[] = []
  for (const { request } of scene.ledger.orders.remembered) {
    // What the exchange took over was no order of ours.
    if (isForcedClose(request.purpose)) continue
    for (const id of scene.ledger.orders.fillsOf(request.clientOrderId)) {
      const key = `${id} of ${request.clientOrderId}`
      if (booked.has(key))
        violations.push({ problem: `fill ${key} is booked twice`, about: request.clientOrderId })
      booked.set(key, request.clientOrderId)
    }
  }
  for (const { id, order } of ownTrades(scene)) {
    const about = wholeId(order.clientOrderId ?? '')
    const key = `${id} of ${about}`
    if (!booked.delete(key)) violations.push({ problem: `fill ${key} is not booked`, about })
  }
  for (const [key, about] of booked) violations.push({ problem: `fill ${key} never happened`, about })
  return violations
}
