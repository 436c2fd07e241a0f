import type { Kline } from '../../src/domain/market-data/kline.ts'
import type { FillSettings } from '../models/fill-settings.ts'
import { type Execution, executionOnArrival, pessimisticInside } from './execution-price.ts'
import { type Candidate, chosenOfGroup } from './group-choice.ts'
import type { KnownTop } from './known-top.ts'
import type { ModelOrder } from './model-order.ts'

/**
 * Where an order trades inside a kline of unknown path, if at all: where it finds the market when it arrives, or as the
 * settings assume. Where the best prices of the moment are known, at those.
 */
export function insideExecution(
  order: ModelOrder,
  kline: Kline,
  settings: FillSettings,
  top?: KnownTop,
): Execution | undefined {
  const execution = assumedInside(order, kline, settings)
  return top === undefined ? execution : top.taken(execution, order, kline)
}

function assumedInside(order: ModelOrder, kline: Kline, settings: FillSettings): Execution | undefined {
  const arrivedAt = order.entry?.arrivedAt
  const arrival = arrivedAt === undefined ? undefined : executionOnArrival(order, arrivedAt, settings)
  if (arrival !== undefined) return arrival
  return pessimisticInside(order, kline, settings)
}

/** Which order of a group trades first inside a kline of unknown path that reaches several of those that are live. */
export function firstOfGroup(
  candidate: Candidate,
  live: readonly ModelOrder[],
  kline: Kline,
  settings: FillSettings,
  top?: KnownTop,
): Candidate {
  const { order } = candidate
  const others = live.flatMap((other): readonly Candidate[] => {
    if (other === order || other.request.terms?.oco !== order.request.terms?.oco) return []
    const execution = insideExecution(other, kline, settings, top)
    return execution === undefined ? [] : [{ order: other, execution }]
  })
  return chosenOfGroup([candidate, ...others], kline.close)
}
