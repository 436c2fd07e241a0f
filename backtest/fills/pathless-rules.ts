import type { Kline } from '../../src/domain/market-data/kline.ts'
import { betterPrice } from '../../src/domain/orders/trailing-stop.ts'
import type { FillSettings } from '../models/fill-settings.ts'
import { mayTrade } from './ambiguity.ts'
import { allows, reached, touchesStop } from './execution-price.ts'
import { insideExecution } from './inside-execution.ts'
import { adverseExtreme, type ModelOrder, RANKS, trailedLevel } from './model-order.ts'

/** Classes of orders inside a kline, in the order in which they trade: stops that close, entries, other exits. */
export const INSIDE_RANKS = [RANKS.protectiveStop, RANKS.other, RANKS.takeProfit]

/**
 * The orders of a class that a kline reaches, in the order in which rules that ignore the path try them: as placed, but before each
 * those that the price meets on its way there.
 */
export function reachedInTurn(
  orders: readonly ModelOrder[],
  rank: number,
  kline: Kline,
  now: number,
  settings: FillSettings,
): readonly ModelOrder[] {
  const live = orders.filter(({ liveAt }) => liveAt <= now)
  const reached = live.filter(
    order =>
      insideRankOf(order) === rank &&
      mayTrade(order, kline, settings) &&
      !(isMovedInside(order, kline) && followsTarget(order, live, kline, settings)),
  )
  const [first] = reached
  if (first === undefined || reached.length === 1) return reached
  const isRiseFirst = waitsForRise(first)
  return reached.toSorted((left, right) => {
    const isRise = waitsForRise(left)
    if (isRise !== waitsForRise(right)) return isRise === isRiseFirst ? -1 : 1
    const isMoved = Number(isMovedInside(left, kline)) - Number(isMovedInside(right, kline))
    if (isMoved !== 0) return isMoved
    const further = (isRise ? 1 : -1) * (levelOf(left, kline) - levelOf(right, kline))
    return further === 0 ? left.rank - right.rank : further
  })
}

/** True if an order waits for the price to rise, false if it waits for a fall. */
function waitsForRise({ isBuy, stopPrice, trail }: ModelOrder): boolean {
  return isBuy === (stopPrice !== undefined || trail !== undefined)
}

/** A stop-limit order that waits for the price to come back after its trigger is no stop here. */
function insideRankOf(order: ModelOrder): number {
  const { reduceOnly, stopPrice, limitPrice, trail } = order
  if (!reduceOnly) return RANKS.other
  if (trail !== undefined) return RANKS.protectiveStop
  if (stopPrice === undefined) return RANKS.takeProfit
  const tradesAtStop = limitPrice === undefined || allows(order, limitPrice, stopPrice)
  return tradesAtStop ? RANKS.protectiveStop : RANKS.takeProfit
}

/** True for a trailing stop that a kline reaches only where it has moved it first. */
function isMovedInside(order: ModelOrder, kline: Kline): boolean {
  return order.trail !== undefined && !touchesStop(order, kline)
}

/** The price at which a kline meets an order that it reaches. */
function levelOf(order: ModelOrder, kline: Kline): number {
  const { stopPrice, limitPrice, touchPrice } = order
  const level = isMovedInside(order, kline)
    ? trailedLevel(order, kline)
    : (stopPrice ?? limitPrice ?? touchPrice)
  return level ?? Number.NaN
}

/**
 * True if `stopLossFirst` and `entryKlineProtection`, rules of engines that ignore the path, let an order
 * trade on this part of this kline.
 */
export function isAllowed(
  order: ModelOrder,
  resting: readonly ModelOrder[],
  kline: Kline,
  atOpen: boolean,
  settings: FillSettings,
): boolean {
  if (order.rank === RANKS.takeProfit && atOpen && settings.stopLossFirst === 'always') {
    return !resting.some(other => other.rank === RANKS.protectiveStop && isReachedFromOpen(other, kline))
  }
  const { entry } = order
  if (entry === undefined || settings.entryKlineProtection === 'all') return true
  return (
    entry.spec === 'market' ||
    (entry.spec === 'stop' && order.rank === RANKS.takeProfit && !isStopTouched(order, resting, kline))
  )
}

/** True if a kline reaches a stop where that stands once the open has moved it. */
function isReachedFromOpen(order: ModelOrder, kline: Kline): boolean {
  const { trail, isBuy, stopPrice } = order
  const level = trail === undefined ? stopPrice : trail.levelAt(betterPrice(isBuy, trail.best, kline.open))
  return level !== undefined && reached(order, adverseExtreme(order, kline), level)
}

/** True if the kline touches a protective stop of the same entry. */
function isStopTouched({ request }: ModelOrder, resting: readonly ModelOrder[], kline: Kline): boolean {
  return resting.some(
    other =>
      other.request.protects === request.protects &&
      other.rank === RANKS.protectiveStop &&
      touchesStop(other, kline),
  )
}

/** True if the price passes another exit on its way to where it moves a trailing stop, which then trades after that. */
function followsTarget(
  stop: ModelOrder,
  live: readonly ModelOrder[],
  kline: Kline,
  settings: FillSettings,
): boolean {
  return live.some(
    other =>
      other.reduceOnly &&
      other.isBuy === stop.isBuy &&
      other.stopPrice === undefined &&
      other.trail === undefined &&
      isAllowed(other, live, kline, false, settings) &&
      insideExecution(other, kline, settings) !== undefined,
  )
}
