import { amountToText } from '../../../src/domain/amount.ts'
import { baseAmount, notionalOf, steps } from '../../../src/domain/grid.ts'
import type { OrderRequest } from '../../../src/domain/order-request.ts'
import { expectedPrice } from '../../../src/ledger/reservation.ts'
import type { Moment, Violation } from './scene.ts'

/** What is decided can be paid for with everything decided before, is as large as the instrument asks for, and stays within the limits of the account; so does what is held, whatever filled. */
export function riskLimitsKept(moment: Moment): readonly Violation[] {
  const placed = moment.decisions.flatMap(decision =>
    decision.type === 'placeOrder'
      ? problemsOf(moment, decision.request).map(problem => ({
          problem,
          about: decision.request.clientOrderId,
        }))
      : [],
  )
  return moment.event.type === 'filled' ? [...placed, ...heldTooMuch(moment, moment.event.fill)] : placed
}

function problemsOf({ ledger, limits }: Moment, request: OrderRequest): readonly string[] {
  const { symbol, side, quantity, reduceOnly, spec, referencePrice } = request
  const instrument = ledger.instrument(symbol)
  const notional = notionalOf(instrument, expectedPrice(spec, referencePrice), quantity)
  const problems: string[] = []
  if (quantity < instrument.minQuantity) problems.push(`${quantity} steps are below the minimum`)
  if (notional < instrument.minNotional) problems.push(`${amountToText(notional)} is below the minimum`)
  if (reduceOnly) return problems
  const asset = side === 'buy' ? instrument.quote : instrument.base
  if (ledger.free(asset) < 0n) problems.push(`${amountToText(ledger.free(asset))} ${asset} are left`)
  if (limits.maxNotional !== undefined && notional > limits.maxNotional)
    problems.push(`${amountToText(notional)} is above the limit of one order`)
  const working = ledger.orders.working.length
  // Protective orders and exits may be more than the limit lets entries be.
  const entries = ledger.orders.working.filter(order => !order.request.reduceOnly).length
  if (limits.maxWorkingOrders !== undefined && entries > limits.maxWorkingOrders)
    problems.push(`${working} orders work at once`)
  return problems
}

function heldTooMuch(
  { ledger, limits }: Moment,
  { symbol, clientOrderId }: { symbol: string; clientOrderId: string },
) {
  const { maxPosition } = limits
  const net = ledger.netQuantity(symbol)
  if (maxPosition === undefined || !('base' in maxPosition) || net <= 0) return []
  const held = baseAmount(ledger.instrument(symbol), steps(net))
  return held <= maxPosition.base
    ? []
    : [{ problem: `${amountToText(held)} of ${symbol} are held, more than may be`, about: clientOrderId }]
}
