import type { Kline } from '../../src/domain/market-data/kline.ts'
import type { OrderSpec } from '../../src/domain/orders/order-request.ts'
import type { FillSettings } from '../models/fill-settings.ts'
import { certainReach, type Execution, passes, reached, touchesStop } from './execution-price.ts'
import {
  adverseExtreme,
  enteredInside,
  favourableExtreme,
  isTouched,
  type ModelOrder,
  type PathOrder,
  trailedLevel,
} from './model-order.ts'

/**
 * Whether an exit inside a kline depends on its unknown path: it may have come before its entry on that kline, it stopped at
 * a level that depends on how far a trailing stop had moved, or the kline also reaches another exit of the same entry.
 */
export function isAmbiguousExit(
  order: ModelOrder,
  execution: Execution,
  kline: Kline,
  resting: readonly ModelOrder[],
  settings: FillSettings,
): boolean {
  if (execution.rule === 'stopLimitPullback') return !isProvenByClose(order, kline, settings)
  if (!order.request.reduceOnly) return false
  if (hasMoved(order, kline) || !isCertain(order, execution, kline, settings)) return true
  return resting.some(other => other !== order && isRival(order, other) && mayTrade(other, kline, settings))
}

/** Whether every path gives an exit, its entry being where it is. */
function isCertain(
  order: ModelOrder,
  { price, rule }: Execution,
  kline: Kline,
  settings: FillSettings,
): boolean {
  if (!enteredInside(order) || rule === 'reachedOnArrival') return true
  return order.limitPrice === undefined
    ? reached(order, certainAdverseReach(order, kline), price)
    : passes(order, certainReach(order, kline), order.limitPrice, settings)
}

/** How far the price certainly went against a protective stop, and towards the trigger of any other, after its entry. */
function certainAdverseReach(order: ModelOrder, kline: Kline): number {
  return enteredInside(order) && order.entry?.spec !== 'limit' ? kline.close : adverseExtreme(order, kline)
}

/** Whether an order that did not trade on a kline might have by another path. */
export function mightHaveTraded(order: ModelOrder, kline: Kline, settings: FillSettings): boolean {
  const dependsOnPath = enteredInside(order) || order.trail !== undefined || order.triggeredInside
  return dependsOnPath && mayTrade(order, kline, settings)
}

/** Whether a liquidation inside a kline depends on its unknown path: another exit that its range also reaches may have come before it. */
export function isAmbiguousLiquidation(
  kline: Kline,
  resting: readonly ModelOrder[],
  settings: FillSettings,
): boolean {
  return resting.some(
    order =>
      order.request.reduceOnly &&
      (order.limitPrice !== undefined || order.touchPrice !== undefined || order.trail !== undefined) &&
      mayTrade(order, kline, settings),
  )
}

/** Whether the range of a kline reaches another entry of the same group, so that the path decides which of them fills. */
export function hasRivalEntry(
  { request }: ModelOrder,
  kline: Kline,
  resting: readonly ModelOrder[],
  settings: FillSettings,
  now: number,
): boolean {
  const group = request.terms?.oco
  if (group === undefined) return false
  return resting.some(
    other =>
      other.request !== request &&
      other.request.terms?.oco === group &&
      other.liveAt <= now &&
      mayTrade(other, kline, settings),
  )
}

/** Whether the range of a kline reaches an order by some path. */
export function mayTrade(order: PathOrder, kline: Kline, settings: FillSettings): boolean {
  if (order.limitPrice !== undefined && order.stopPrice === undefined) {
    return passes(order, favourableExtreme(order, kline), order.limitPrice, settings)
  }
  if (touchesStop(order, kline) || isTouched(order, favourableExtreme(order, kline))) return true
  const trailed = trailedLevel(order, kline)
  return trailed !== undefined && reached(order, adverseExtreme(order, kline), trailed)
}

/** Two exits of one entry, of which the one that comes first cancels or shrinks the other: of two kinds, or one of them trailing. */
function isRival({ request }: ModelOrder, { request: other }: ModelOrder): boolean {
  if (!other.reduceOnly || other.side !== request.side) return false
  const isOfSameEntry =
    request.protects === other.protects || request.protects === undefined || other.protects === undefined
  const types = [request.spec.type, other.spec.type]
  return isOfSameEntry && (types.includes('trailingStop') || types.filter(isStop).length === 1)
}

function isStop(type: OrderSpec['type']): boolean {
  return type === 'stop' || type === 'trailingStop'
}

/** Whether a kline moves a trailing stop, so that the order of its extremes decides about the level. */
function hasMoved(order: ModelOrder, kline: Kline): boolean {
  const { trail } = order
  if (trail === undefined) return false
  const extreme = favourableExtreme(order, kline)
  return order.isBuy ? extreme < trail.bestBefore : extreme > trail.bestBefore
}

/** Whether a stop-limit order that was triggered inside a kline certainly saw its limit after that. */
function isProvenByClose(order: ModelOrder, kline: Kline, settings: FillSettings): boolean {
  return order.limitPrice !== undefined && passes(order, kline.close, order.limitPrice, settings)
}
