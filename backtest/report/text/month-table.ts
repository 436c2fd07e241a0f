import type { MonthReturn } from '../../metrics/returns/months.ts'

/** The months of one calendar year. */
export interface YearOfMonths {
  readonly year: number
  /** January first; `undefined` where the run does not touch the month. */
  readonly months: readonly (MonthReturn | undefined)[]
  /** All its months compounded; `null` where one has no return. */
  readonly value: number | null
}

/** The names of the months, in order. */
export const MONTH_NAMES = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
]

/** Months by year, in order. */
export function yearsOf(months: readonly MonthReturn[]): YearOfMonths[] {
  return [...Map.groupBy(months, ({ year }) => year)].map(([year, found]) => ({
    year,
    months: MONTH_NAMES.map((_, index) => found.find(({ month }) => month === index + 1)),
    value: compounded(found),
  }))
}

function compounded(months: readonly MonthReturn[]): number | null {
  const values = months.flatMap(({ value }) => (value === null ? [] : [value]))
  if (values.length < months.length) return null
  return values.reduce((product, value) => product * (1 + value), 1) - 1
}
