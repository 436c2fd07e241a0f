import type { Kline } from '../../src/domain/market-data/kline.ts'
import { betterPrice } from '../../src/domain/orders/trailing-stop.ts'
import type { FillSettings } from '../models/fill-settings.ts'
import {
  allows,
  certainReach,
  type ExecutionPrice,
  NO_PRICE,
  passes,
  reached,
  touched,
  touchesStop,
} from './execution-price.ts'
import {
  adverseExtreme,
  type BestRange,
  enteredInside,
  favourableExtreme,
  type ModelOrder,
  type PathOrder,
  type Trail,
  trailedLevel,
} from './model-order.ts'

/**
 * True if a fill inside a kline depends on its unknown path: the price may not have come back to the limit of a stop
 * that it triggered, an exit may precede its entry on that kline, its level depends on the distance a trailing stop had
 * moved, or the kline also reaches another exit of the same entry.
 */
export function isAmbiguousFill(
  order: ModelOrder,
  execution: ExecutionPrice,
  kline: Kline,
  resting: readonly ModelOrder[],
  settings: FillSettings,
): boolean {
  if (execution.rule === 'stopLimitPullback' && !isProvenByClose(order, kline, settings)) return true
  if (!order.request.reduceOnly) return false
  if (hasOtherLevel(order) || hasMoved(order, kline) || !isCertain(order, execution, kline, settings))
    return true
  return resting.some(
    other =>
      other !== order &&
      isRival(order, other) &&
      (mayTrade(other, kline, settings) || mayHaveStopped(other, kline)),
  )
}

/** True if a fill at an open depends on the path of a kline before: a trailing stop may be farther, where the open does not reach it. */
export function isAmbiguousAtOpen(order: ModelOrder, { open }: Kline): boolean {
  const { trail } = order
  if (trail?.range === undefined) return false
  const farthest = trail.levelAt(trail.range.least)
  return farthest === undefined || !reached(order, open, farthest)
}

/** The range of the best prices of a trailing stop after a kline, by all paths inside this one and those before. */
export function rangeAfter(order: ModelOrder, trail: Trail, kline: Kline): BestRange | undefined {
  const { range, bestBefore } = trail
  if (range === undefined && !enteredInside(order)) return undefined
  const least = betterPrice(order.isBuy, range?.least ?? bestBefore, certainReach(order, kline))
  const most = betterPrice(order.isBuy, range?.most ?? bestBefore, favourableExtreme(order, kline))
  return least === most ? undefined : { least, most }
}

/** True if every path gives an exit, its entry being given. */
function isCertain(
  order: ModelOrder,
  { price, rule }: ExecutionPrice,
  kline: Kline,
  settings: FillSettings,
): boolean {
  if (!enteredInside(order) || rule === 'reachedOnArrival') return true
  return order.limitPrice === undefined
    ? reached(order, certainAdverseReach(order, kline), price)
    : passes(order, certainReach(order, kline), order.limitPrice, settings)
}

/**
 * The farthest price that the market certainly reached after the entry: against a protective stop, towards
 * the trigger of any other order. An entry at a limit or if touched was met on the way there.
 */
function certainAdverseReach(order: ModelOrder, kline: Kline): number {
  const spec = enteredInside(order) ? order.entry?.spec : 'limit'
  return spec === 'limit' || spec === 'ifTouched' ? adverseExtreme(order, kline) : kline.close
}

/** True if an order that did not trade on a kline might have traded by another path, or by a rule that looks at the path. */
export function mightHaveTraded(order: ModelOrder, kline: Kline, settings: FillSettings): boolean {
  const dependsOnPath = enteredInside(order) || order.trail !== undefined || order.triggeredInside
  return (dependsOnPath || isHeldBack(order, settings)) && mayTrade(order, kline, settings)
}

/** True for protection that does not work yet on the kline of its entry. */
function isHeldBack({ entry }: ModelOrder, { entryKlineProtection }: FillSettings): boolean {
  return entryKlineProtection === 'marketEntries' && entry !== undefined && entry.spec !== 'market'
}

/** True if a trailing stop stands elsewhere by another path of a kline before. */
function hasOtherLevel({ trail, stopPrice }: ModelOrder): boolean {
  if (trail?.range === undefined) return false
  const { least, most } = trail.range
  return trail.levelAt(least) !== stopPrice || trail.levelAt(most) !== stopPrice
}

/** True if a kline reaches a trailing stop where it may stand by another path of a kline before. */
export function mayHaveStopped(order: ModelOrder, kline: Kline): boolean {
  const { trail } = order
  if (trail?.range === undefined) return false
  const nearest = trail.levelAt(trail.range.most)
  return nearest !== undefined && reached(order, adverseExtreme(order, kline), nearest)
}

/**
 * True if a liquidation inside a kline depends on its unknown path: another exit within its range may have
 * come first.
 */
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

/**
 * True if the range of a kline reaches another entry of the same group, so that the path decides which of
 * them fills.
 */
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

/** True if the range of a kline reaches an order by some path. */
export function mayTrade(order: PathOrder, kline: Kline, settings: FillSettings): boolean {
  const favourable = favourableExtreme(order, kline)
  if (order.limitPrice !== undefined && order.stopPrice === undefined) {
    return passes(order, favourable, order.limitPrice, settings)
  }
  if (touchesStop(order, kline) || touched(order, favourable, order.touchPrice ?? NO_PRICE)) return true
  const trailed = trailedLevel(order, kline)
  return trailed !== undefined && reached(order, adverseExtreme(order, kline), trailed)
}

/**
 * True for two exits of one entry where the first to trade cancels or shrinks the other, and the path decides which that is:
 * two ways of waiting, or one that is met by some paths only.
 */
function isRival(order: ModelOrder, other: ModelOrder): boolean {
  const { side, protects } = order.request
  if (!other.reduceOnly || other.request.side !== side) return false
  const isOfSameEntry =
    protects === other.request.protects || protects === undefined || other.request.protects === undefined
  const waits = [waitOf(order), waitOf(other)]
  return isOfSameEntry && (waits.includes('turn') || waits[0] !== waits[1])
}

/** An exit waits for a loss, for a profit, or for both in turn: one that trails, or a stop-limit whose limit has to be come back to. */
function waitOf(order: ModelOrder): 'loss' | 'profit' | 'turn' {
  const { spec } = order.request
  if (spec.type === 'trailingStop') return 'turn'
  if (spec.type === 'stop') return 'loss'
  const isTriggeredBefore = order.stopPrice === undefined && !order.triggeredInside
  if (spec.type !== 'stopLimit' || isTriggeredBefore) return 'profit'
  return allows(order, spec.price, spec.stopPrice) ? 'loss' : 'turn'
}

/** True if a kline moves a trailing stop, so that the order of its extremes decides the level. */
function hasMoved(order: ModelOrder, kline: Kline): boolean {
  const { trail } = order
  if (trail === undefined) return false
  const extreme = favourableExtreme(order, kline)
  return order.isBuy ? extreme < trail.bestBefore : extreme > trail.bestBefore
}

/** True if a stop-limit order that was triggered inside a kline certainly saw its limit afterwards. */
function isProvenByClose(order: ModelOrder, kline: Kline, settings: FillSettings): boolean {
  return order.limitPrice !== undefined && passes(order, kline.close, order.limitPrice, settings)
}
