import { listedName } from '../../domain/account-symbol.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, add, type Rate, subtract, times } from '../../domain/numbers/amount.ts'
import { priceAmount, priceText } from '../../domain/numbers/grid.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { OrderDraft } from '../../domain/orders/order-request.ts'
import type { RiskCheck } from '../risk-check.ts'

/**
 * An order that may open a position must not meet an own limit order on the other side; a market order counts
 * as reaching `reach` of the latest price beyond it.
 */
export function noSelfCrossing(reach: Rate): RiskCheck {
  return (draft, { working, instrument }) => {
    if (draft.reduceOnly) return undefined
    const own = working.find(order => meets(draft, order, reach, instrument))
    if (own === undefined || own.request.spec.type !== 'limit') return undefined
    const price = `${priceText(instrument, own.request.spec.price)} ${instrument.quote}`
    return {
      rule: 'selfCrossing',
      limit: 'no trade with ourselves',
      actual: `our own ${own.request.side} order at ${price}`,
      message: `The order could trade with our own ${own.request.side} order ${own.request.clientOrderId} at ${price}.`,
    }
  }
}

function meets(draft: OrderDraft, { request }: Order, reach: Rate, instrument: Instrument): boolean {
  const isOneMarket = listedName(request.symbol) === listedName(draft.symbol)
  if (!isOneMarket || request.side === draft.side || request.spec.type !== 'limit') return false
  const price = reachedPrice(draft, reach, instrument)
  if (price === undefined) return false
  const own = priceAmount(instrument, request.spec.price)
  return draft.side === 'buy' ? own <= price : own >= price
}

/** The worst price at which an order may trade at once; stops wait, and are market orders later. */
function reachedPrice(
  { spec, side, referencePrice }: OrderDraft,
  reach: Rate,
  instrument: Instrument,
): Amount | undefined {
  if (spec.type === 'limit') return priceAmount(instrument, spec.price)
  if (spec.type !== 'market') return undefined
  const latest = priceAmount(instrument, referencePrice)
  return side === 'buy' ? add(latest, times(latest, reach)) : subtract(latest, times(latest, reach))
}
