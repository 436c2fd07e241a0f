import type { FinishedTrial } from './trial.ts'

/** Daily returns of a trial. */
export type DailyTrial = Pick<FinishedTrial, 'firstDay' | 'dailyReturns'>

/**
 * Returns of a trial on the days of another one. A day on which it was not played has a return of 0, so that the t of its mean is
 * about what it is on its own days, however few they are.
 */
export function returnsOnDaysOf(days: DailyTrial, { firstDay, dailyReturns }: DailyTrial): Float64Array {
  const { length } = days.dailyReturns
  const ahead = days.firstDay - firstDay
  if (ahead === 0 && dailyReturns.length === length) return dailyReturns
  const returns = new Float64Array(length)
  const [from, to] = [Math.max(0, ahead), Math.max(0, ahead + length)]
  returns.set(dailyReturns.subarray(from, to), Math.min(length, Math.max(0, -ahead)))
  return returns
}
