import type { FundingRateSeen } from '../../domain/market-data/market-data.ts'

const HOUR = 3_600_000
/** No exchange of the interface settles less often. */
const LONGEST = 8 * HOUR
/** Until then after a settlement, what is read may be an old copy. */
const SETTLED_AFTER_MS = 5 * 60_000

interface Latest {
  readonly rate: number
  /** The settlement that was told last, ms UTC. */
  readonly time: number
}

/**
 * Makes settled funding rates of what the index endpoint says of the last one, which tells neither when it was nor how often
 * there is one: a rate that changes was settled at the full hour before it is read; one that does not change is taken to be
 * settled anew every eight hours from 00:00 UTC, the longest time between two settlements.
 */
export class SettledFunding {
  readonly #latest = new Map<string, Latest>()

  /** What is new in the rate that was read at `now`, ms UTC. */
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
