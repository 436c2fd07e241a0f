import type { Notice } from '../../domain/events/engine-output.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'

/** Of `2026-01-31`. */
const DATE_LENGTH = 10

/** Picks the first missed target of each market and day (UTC), because a strategy may miss one at every kline. */
export class MissedTargetDays {
  readonly #days = new Map<string, string>()

  /** True for a missed target of a market and day that has been seen already; false for other notices. */
  isRepeated(notice: Notice): boolean {
    if (notice.type !== 'targetMissed') return false
    const day = utcText(notice.time).slice(0, DATE_LENGTH)
    const isSeen = this.#days.get(notice.symbol) === day
    this.#days.set(notice.symbol, day)
    return isSeen
  }
}
