import type { Protection } from '../../../src/domain/signal.ts'
import type { ModelOrder, PathOrder } from '../model-order.ts'

/** An order of a forecast, and what it does to others once it trades. */
export interface ForecastOrder extends PathOrder {
  /** Its clientOrderId; of protection, that of its entry. */
  readonly id: string
  /** The entry that it protects. */
  readonly protects: string | undefined
  /** The protection that it brings. */
  readonly protection: Protection | undefined
  /** The group of entries of which one fills. */
  readonly group: string | undefined
}

/** A copy of a resting order that a forecast may change. */
export function forecastOrder(order: ModelOrder): ForecastOrder {
  const { request } = order
  return {
    isBuy: order.isBuy,
    reduceOnly: order.reduceOnly,
    rank: order.rank,
    liveAt: order.liveAt,
    quantity: order.quantity,
    filledQuantity: order.filledQuantity,
    stopPrice: order.stopPrice,
    touchPrice: order.touchPrice,
    triggeredInside: order.triggeredInside,
    isTriggered: order.isTriggered,
    limitPrice: order.limitPrice,
    isNew: order.isNew,
    trail: order.trail,
    id: request.clientOrderId,
    protects: request.protects,
    protection: request.protection,
    group: request.terms?.oco,
  }
}
