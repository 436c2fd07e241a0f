import { civilDateOf, dayNumberOf, utcText } from '../../domain/market-data/civil-date.ts'

/** Period (UTC) of one file. */
export type FilePeriod = 'month' | 'day'

const DAY_MS = 86_400_000
const NAME = { month: /^\d{4}-\d\d\.arrow$/, day: /^\d{4}-\d\d-\d\d\.arrow$/ } as const satisfies Record<
  FilePeriod,
  RegExp
>

/** Name of the file for a time (ms UTC): `2024-01.arrow`, or `2024-01-31.arrow`. */
export function fileNameAt(time: number, period: FilePeriod): string {
  return `${utcText(time).slice(0, period === 'month' ? 7 : 10)}.arrow`
}

/** True for the name of a file of the store. */
export function isFileName(name: string, period: FilePeriod): boolean {
  return NAME[period].test(name)
}

/** End of the period of a time (excluded), ms UTC. */
export function periodEnd(time: number, period: FilePeriod): number {
  const day = Math.floor(time / DAY_MS)
  if (period === 'day') return (day + 1) * DAY_MS
  const { year, month } = civilDateOf(day)
  const next = month === 12 ? { year: year + 1, month: 1, day: 1 } : { year, month: month + 1, day: 1 }
  return dayNumberOf(next) * DAY_MS
}
