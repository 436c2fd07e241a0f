import type { Kline } from '../../src/domain/market-data/kline.ts'
import type { FillSettings } from '../models/fill-settings.ts'
import { type ExecutionPrice, executionOnArrival, executionWithoutPath } from './execution-price.ts'
import type { ModelOrder } from './model-order.ts'

/**
 * Execution of an order inside a kline of unknown path, if any: at the market's price on arrival, or as the
 * settings assume.
 */
export function insideExecution(
  order: ModelOrder,
  kline: Kline,
  settings: FillSettings,
): ExecutionPrice | undefined {
  const arrivedAt = order.entry?.arrivedAt
  const arrival = arrivedAt === undefined ? undefined : executionOnArrival(order, arrivedAt, settings)
  if (arrival !== undefined) return arrival
  return executionWithoutPath(order, kline, settings)
}
