import { wholeId } from '../../../../src/domain/orders/order-parts.ts'
import type { SentRequest } from '../../../../src/execution/sent-requests.ts'
import type { Past } from '../past.ts'
import { type GivenRisk, openOrders, type Scene, type Violation } from '../scene.ts'
import { groupOf } from './groups-kept.ts'
import { modeFor } from './no-new-risk.ts'

/** A scene right before a request leaves. */
export interface Departure extends Scene {
  readonly dispatch: SentRequest
  readonly past: Past
  readonly risk: GivenRisk
}

/** A placement only leaves where nobody has taken its order back, nothing holds it back (an exit that waited since before may go), and no other entry of its group has filled or (where it waited for its price) is at the exchange. */
export function leavesRightly(departure: Departure): readonly Violation[] {
  const { dispatch, past, risk, ledger } = departure
  const about = wholeId(dispatch.clientOrderId)
  const order = ledger.orders.get(about)
  if (dispatch.action !== 'place') return []
  if (order === undefined) return [{ problem: `order ${about} leaves, and is in no ledger`, about }]
  const mode = modeFor(order.request, past, risk)
  const group = groupOf(ledger, order)
  const ids = new Set(group.map(({ request }) => request.clientOrderId))
  const isBeside = openOrders(departure).some(({ clientOrderId = '' }) => ids.has(wholeId(clientOrderId)))
  const problems = [
    ...(past.canceled.has(about) ? ['although it was taken back'] : []),
    ...(order.request.reduceOnly || mode === 'active' ? [] : [`although ${order.request.symbol} is ${mode}`]),
    ...(group.some(({ filledQuantity }) => filledQuantity > 0)
      ? ['although another one of its group filled']
      : []),
    ...(isBeside && order.request.spec.type !== 'limit' ? ['beside another one of its group'] : []),
  ]
  return problems.map(problem => ({ problem: `order ${about} leaves ${problem}`, about }))
}
