import type { Kline } from '../../src/domain/market-data/kline.ts'
import type { FillSettings } from '../models/fill-settings.ts'
import { touchesStop } from './execution-price.ts'
import { type ModelOrder, RANKS } from './model-order.ts'

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
    return !resting.some(other => other.rank === RANKS.protectiveStop && touchesStop(other, kline))
  }
  const { entry } = order
  if (entry === undefined || settings.entryKlineProtection === 'all') return true
  return (
    entry.spec === 'market' ||
    (entry.spec === 'stop' && order.rank === RANKS.takeProfit && !isStopTouched(order, resting, kline))
  )
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
