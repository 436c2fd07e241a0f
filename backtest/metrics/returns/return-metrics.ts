import { DAY_MS, DAYS_PER_YEAR, MINIMUM } from '../convention.ts'
import { type Metric, metric, metricOfAtLeast, notAvailable } from '../metric.ts'
import { type DailyReturns, dailyMetric } from './daily-returns.ts'
import { type EquityCurve, endOf } from './equity-curve.ts'
import type { MonthReturn } from './months.ts'

const YEAR_MS = DAYS_PER_YEAR * DAY_MS

/** Returns of the account. Money in quote, returns as fractions. */
export interface ReturnMetrics {
  /** Equity before the first kline. */
  readonly startEquity: Metric
  /** Equity at the last close, with open positions marked there. */
  readonly endEquity: Metric
  /** End less start. */
  readonly netProfit: Metric
  /** End ÷ start - 1. */
  readonly totalReturn: Metric
  /** Compound annual growth rate: (end ÷ start)^(365 days ÷ duration) - 1; -1 after ruin. */
  readonly cagr: Metric
  readonly bestDay: Metric
  readonly worstDay: Metric
  /** Fraction of days with a return above 0. */
  readonly positiveDays: Metric
  /** Months at the ends of the run may be incomplete. */
  readonly bestMonth: Metric
  readonly worstMonth: Metric
  /** Fraction of months with a return above 0. */
  readonly positiveMonths: Metric
}

/** Return metrics of a run. */
export function returnMetrics(
  curve: EquityCurve,
  returns: DailyReturns,
  months: readonly MonthReturn[],
): ReturnMetrics {
  const end = endOf(curve)
  const { values } = returns
  const daily = (figure: () => number) => dailyMetric(returns, figure, MINIMUM.bestAndWorst)
  return {
    startEquity: metric(curve.startEquity),
    endEquity: metric(end.equity),
    netProfit: metric(end.equity - curve.startEquity),
    totalReturn: metric(end.equity / curve.startEquity - 1),
    cagr: annualRate(curve.startEquity, end.equity, end.time - curve.startTime),
    bestDay: daily(() => values.reduce((best, value) => Math.max(best, value))),
    worstDay: daily(() => values.reduce((worst, value) => Math.min(worst, value))),
    positiveDays: daily(() => shareAboveZero(values)),
    ...monthMetrics(returns, months),
  }
}

function annualRate(start: number, end: number, durationMs: number): Metric {
  const minimum = MINIMUM.daysForAnnualRate
  if (durationMs < minimum * DAY_MS) {
    return notAvailable(`needs at least ${minimum} days, has ${Math.floor(durationMs / DAY_MS)}`)
  }
  return metric(Math.max(0, end / start) ** (YEAR_MS / durationMs) - 1)
}

function monthMetrics(
  { problem }: DailyReturns,
  months: readonly MonthReturn[],
): Pick<ReturnMetrics, 'bestMonth' | 'worstMonth' | 'positiveMonths'> {
  const values = months.flatMap(({ value }) => (value === null ? [] : [value]))
  const monthly = (figure: () => number) =>
    problem === undefined
      ? metricOfAtLeast(MINIMUM.bestAndWorst, 'calendar months', values.length, figure)
      : notAvailable(problem)
  return {
    bestMonth: monthly(() => Math.max(...values)),
    worstMonth: monthly(() => Math.min(...values)),
    positiveMonths: monthly(() => shareAboveZero(values)),
  }
}

function shareAboveZero(values: ArrayLike<number>): number {
  let above = 0
  for (let index = 0; index < values.length; index++) if ((values[index] as number) > 0) above++
  return above / values.length
}
