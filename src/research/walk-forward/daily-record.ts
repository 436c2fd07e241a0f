/** Returns of consecutive UTC days, as fractions. */
export interface DailyRecord {
  /** The first day, counted from 1970-01-01. */
  readonly firstDay: number
  readonly returns: Float64Array
}

/**
 * Records one after another as one, in order of time. A day that two of them share has the returns of both, compounded; a day
 * between two of them has a return of 0.
 */
export function stitchedRecord(records: readonly DailyRecord[]): DailyRecord {
  const [first, last] = [records[0], records.at(-1)]
  if (first === undefined || last === undefined) return { firstDay: 0, returns: new Float64Array() }
  const { firstDay } = first
  const returns = new Float64Array(last.firstDay + last.returns.length - firstDay)
  for (const record of records) {
    record.returns.forEach((value, index) => {
      const day = record.firstDay - firstDay + index
      returns[day] = (1 + (returns[day] as number)) * (1 + value) - 1
    })
  }
  return { firstDay, returns }
}

/** Everything gained or lost over the days: the product of (1 + return), less 1. */
export function totalReturn(returns: ArrayLike<number>): number {
  let worth = 1
  for (let day = 0; day < returns.length; day++) worth *= 1 + (returns[day] as number)
  return worth - 1
}
