import type { FundingRateSeen } from '../../domain/market-data/market-data.ts'

const HOUR = 3_600_000
/** No exchange of the interface settles less often. */
const LONGEST = 8 * HOUR
/** Until this long after a settlement, a read may be a stale copy. */
const SETTLED_AFTER_MS = 5 * 60_000

interface Latest {
  readonly rate: number
  /** Time of the latest emitted settlement, ms UTC. */
  readonly time: number
}

/**
 * Derives settled funding rates from the index endpoint, which shows the last rate without its time or
 * interval: a changed rate was settled at the full hour before it is read; an unchanged one is assumed to be
 * settled anew every eight hours from 00:00 UTC, the longest time between two settlements.
 */
export class SettledFunding {
  readonly #latest = new Map<string, Latest>()

  /** New settlements by the rate read at `now`, ms UTC. */
  observe(symbol: string, rate: number, now: number): readonly FundingRateSeen[] {
    const before = this.#latest.get(symbol)
    const changed = before === undefined || before.rate !== rate
    const expected = Math.floor((now - SETTLED_AFTER_MS) / LONGEST) * LONGEST
    const time = changed ? Math.floor(now / HOUR) * HOUR : expected
    if (before !== undefined && time <= before.time) return NOTHING
    this.#latest.set(symbol, { rate, time: before === undefined ? Math.max(time, expected) : time })
    return [{ type: 'fundingRateSeen', symbol, fundingRate: { time, rate } }]
  }
}

const NOTHING: readonly FundingRateSeen[] = []
