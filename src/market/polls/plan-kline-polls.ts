import { intervalMs } from '../../domain/market-data/interval.ts'
import { weightOf } from '../../exchange/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../exchange/endpoints.ts'
import { offeredPartOf } from '../../exchange/spot/spot-interval.ts'
import type { KlineSubscription } from '../market-subscription.ts'
import type { PlannedKlinePoll, PollBudget } from './poll-plan.ts'

const MINUTE = 60_000
const SECOND = 1000
/** Largest part of the interval over which the reads of klines that close together are spread. */
const LONGEST_SPREAD = 0.5

/**
 * One poll for each kline stream, just after its interval closes. Reads of klines that close together follow
 * each other at `callsPerSecond`, short intervals first, because they benefit most often.
 */
export function planKlinePolls(
  streams: readonly KlineSubscription[],
  budget: PollBudget,
): readonly PlannedKlinePoll[] {
  const shortFirst = streams.toSorted((left, right) => intervalMs(left.interval) - intervalMs(right.interval))
  const [shortest] = shortFirst
  if (shortest === undefined) return []
  const gapMs = Math.min(
    SECOND / budget.callsPerSecond,
    (intervalMs(shortest.interval) * LONGEST_SPREAD) / shortFirst.length,
  )
  return shortFirst.map((stream, index) => klinePoll(stream, Math.round(index * gapMs), budget))
}

function klinePoll(
  { market, symbol, interval, after }: KlineSubscription,
  offsetMs: number,
  { klineDelayMs, callMs, lacksKlines }: PollBudget,
): PlannedKlinePoll {
  const endpoint = market === 'spot' ? 'spotKlines' : 'futuresKlines'
  const weight = weightOf(ENDPOINTS[endpoint], {})
  const delayMs = klineDelayMs + offsetMs
  const part = offeredPartOf(interval, lacksKlines?.[market])
  const deliveredMs = delayMs + callMs
  return {
    type: 'klines',
    name: `${interval} klines of ${symbol}`,
    work: { type: 'klines', market, symbol, interval, part, ...(after !== undefined && { after }) },
    delayMs,
    endpoint,
    weight,
    weightPerMinute: (weight * MINUTE) / intervalMs(interval),
    freshness: { p50Ms: deliveredMs, p99Ms: deliveredMs },
  }
}
