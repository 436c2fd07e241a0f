import { civilDateOf, dayNumberOf } from '../../domain/market-data/civil-date.ts'

/** Server time, ms UTC; measured first if it is unknown. */
export type ServerNow = () => Promise<number>

/** Length of a day, ms. */
export const MS_PER_DAY = 86_400_000

/** Safety margin, ms: the first call of a range may wait, and its times must still be available then. */
const MARGIN_MS = 5 * 60_000

/** Start of a history of 6 calendar months that ends at `now`, ms UTC, with a margin of some minutes. */
export function sixMonthsBefore(now: number): number {
  const day = Math.floor(now / MS_PER_DAY)
  const date = civilDateOf(day)
  const month =
    date.month > 6
      ? { ...date, month: date.month - 6 }
      : { ...date, year: date.year - 1, month: date.month + 6 }
  // A day that the month lacks becomes one of the next month.
  return (dayNumberOf(month) - day) * MS_PER_DAY + now + MARGIN_MS
}
