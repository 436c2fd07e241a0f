import type { Instrument } from '../domain/instrument.ts'
import { type Rounding, roundToSteps, roundToTicks, type Ticks } from '../domain/numbers/grid.ts'
import type { OrderIntent, OrderPlan, TrailingStopPlan } from '../domain/orders/order-intent.ts'
import type { OrderDraft, OrderSpec } from '../domain/orders/order-request.ts'
import type { Side } from '../domain/orders/side.ts'
import type { TrailingStopSpec } from '../domain/orders/trailing-stop.ts'
import type { LimitWish } from '../domain/signal.ts'

/**
 * Puts an intent on the instrument's grid: quantity down, but for float noise; prices towards the side that trades later (a buy
 * limit and a sell stop down, a sell limit and a buy stop up).
 */
export function toGrid(instrument: Instrument, intent: OrderIntent): OrderDraft {
  const { side } = intent
  // Field by field: copying a rest of fields costs ten times as much, and this is done for every order.
  return {
    clientOrderId: intent.clientOrderId,
    strategy: intent.strategy,
    symbol: intent.symbol,
    book: intent.book,
    side,
    purpose: intent.purpose,
    spec: orderSpec(instrument, side, intent.plan),
    quantity: roundToSteps(instrument, intent.quantity),
    reduceOnly: intent.reduceOnly,
    protection: intent.protection,
    protects: intent.protects,
    terms: intent.terms,
    tag: intent.tag,
    decidedAt: intent.decidedAt,
    referencePrice: intent.referencePrice,
  }
}

/** An order's type and prices on the grid. */
export function orderSpec(instrument: Instrument, side: Side, plan: OrderPlan): OrderSpec {
  const limitRounding: Rounding = side === 'buy' ? 'down' : 'up'
  switch (plan.type) {
    case 'market':
      return plan
    case 'limit':
      return limitSpec(plan, roundToTicks(instrument, plan.price, limitRounding))
    case 'stop':
      return { type: 'stop', stopPrice: stopOnGrid(instrument, side, plan.stopPrice) }
    case 'stopLimit':
      return {
        type: 'stopLimit',
        stopPrice: stopOnGrid(instrument, side, plan.stopPrice),
        price: roundToTicks(instrument, plan.price, limitRounding),
      }
    case 'ifTouched':
      return {
        type: 'ifTouched',
        triggerPrice: roundToTicks(instrument, plan.triggerPrice, limitRounding),
      }
    case 'trailingStop':
      return trailingStopSpec(instrument, plan, limitRounding)
  }
}

/** The price on the grid of a stop order at `stopPrice` (quote per base); never triggers earlier than asked. */
export function stopOnGrid(instrument: Instrument, side: Side, stopPrice: number): Ticks {
  return roundToTicks(instrument, stopPrice, side === 'buy' ? 'up' : 'down')
}

function trailingStopSpec(
  instrument: Instrument,
  plan: TrailingStopPlan,
  rounding: Rounding,
): TrailingStopSpec {
  const { activationPrice } = plan
  const fields = {
    type: plan.type,
    anchor: roundToTicks(instrument, plan.anchor, 'nearest'),
    ...(activationPrice !== undefined && {
      activationPrice: roundToTicks(instrument, activationPrice, rounding),
    }),
  }
  return 'distance' in plan
    ? { ...fields, distance: roundToTicks(instrument, plan.distance, 'up') }
    : { ...fields, callbackRate: plan.callbackRate }
}

function limitSpec({ timeInForce, postOnly }: LimitWish, price: Ticks): OrderSpec {
  if (postOnly === true) return { type: 'limit', price, kind: 'postOnly' }
  if (timeInForce === 'IOC') return { type: 'limit', price, kind: 'ioc' }
  return timeInForce === 'FOK' ? { type: 'limit', price, kind: 'fok' } : { type: 'limit', price }
}
