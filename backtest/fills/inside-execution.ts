import type { Kline } from '../../src/domain/market-data/kline.ts'
import type { FillSettings } from '../models/fill-settings.ts'
import { type ExecutionPrice, executionOnArrival, executionWithoutPath } from './execution-price.ts'
import { type Candidate, chosenOfGroup } from './group-choice.ts'
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

/**
 * The order of a group that trades inside a kline of unknown path. Of `orders`, those that the kline reaches in turn, one follows no
 * other on its way, unless that waits for the price to come back.
 */
export function firstOfGroup(
  candidate: Candidate,
  orders: readonly ModelOrder[],
  kline: Kline,
  settings: FillSettings,
): Candidate {
  const { order } = candidate
  const candidates: [Candidate, ...Candidate[]] = [candidate]
  for (const other of orders) {
    if (other === order || other.request.terms?.oco !== order.request.terms?.oco) continue
    const execution = insideExecution(other, kline, settings)
    if (execution === undefined) continue
    const next = { order: other, execution }
    const isBehind = candidates.some(
      before =>
        before.execution.rule !== 'stopLimitPullback' && liesAbove(before, kline) === liesAbove(next, kline),
    )
    if (!isBehind) candidates.push(next)
  }
  return chosenOfGroup(candidates, kline.close)
}

/** True if an order trades above the open; a limit at the open waits for the price to move on. */
function liesAbove({ order, execution }: Candidate, { open }: Kline): boolean {
  return execution.price > open || (execution.price === open && !order.isBuy)
}
