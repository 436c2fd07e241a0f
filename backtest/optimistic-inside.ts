import type { Kline } from '../src/domain/kline.ts'
import {
  type Execution,
  limitInside,
  reached,
  stopLimitInside,
  taken,
  touchInside,
} from './execution-price.ts'
import type { FillSettings } from './fill-settings.ts'
import {
  adverseExtreme,
  enteredInside,
  favourableExtreme,
  type ModelOrder,
  RANKS,
  trailedLevel,
} from './model-order.ts'

/**
 * Where an order trades after the open of a kline, if it does, by the optimistic rules: limits fill where the kline may
 * have taken them, protective stops only where it must have. A limit entry lies on the way to its stop, so an extreme
 * beyond the stop comes after the entry; after any other entry inside the kline only the close proves anything.
 */
export function optimisticInside(
  order: ModelOrder,
  kline: Kline,
  settings: FillSettings,
): Execution | undefined {
  const extreme = favourableExtreme(order, kline)
  if (order.request.spec.type === 'stopLimit') return stopLimitInside(order, kline, extreme, settings)
  if (order.limitPrice !== undefined) return limitInside(order, kline, extreme, settings)
  return certainStop(order, kline)
}

/** How far the price certainly went against a protective stop, and towards the trigger of any other. */
export function certainAdverseReach(order: ModelOrder, kline: Kline): number {
  return enteredInside(order) && order.entry?.spec !== 'limit' ? kline.close : adverseExtreme(order, kline)
}

/** A trailing stop that must trigger does so at the best level it may have had. */
function certainStop(order: ModelOrder, kline: Kline): Execution | undefined {
  const level = order.stopPrice
  if (level === undefined) return touchInside(order, kline)
  const mustTrigger = reached(order, certainAdverseReach(order, kline), level)
  const trailed = trailedLevel(order, kline)
  if (order.rank !== RANKS.protectiveStop || trailed === undefined || trailed === level) {
    return mustTrigger ? taken(level, 'stopInside') : undefined
  }
  const mustTriggerLater = !enteredInside(order) && reached(order, kline.close, trailed)
  return mustTrigger || mustTriggerLater ? taken(trailed, 'trailedInside') : undefined
}
