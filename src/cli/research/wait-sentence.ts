import { DAYS_PER_YEAR } from '../../../backtest/metrics/convention.ts'
import { fixed } from '../../../backtest/report/text/figure-text.ts'
import type { VerdictConfig } from '../../config/verdict-field.ts'
import type { JudgeDone } from './judge-run.ts'
import { annualSharpe } from './walk-forward-report.ts'

/** Records longer than these are said in years, and longer than those as what nobody lives to see. */
const [DAYS_SAID, YEARS_LIVED] = [2 * DAYS_PER_YEAR, 100]

/** Length of the record that would decide. */
export function waitSentence(
  { trials: { daysNeeded, deflated }, judged }: Pick<JudgeDone, 'trials' | 'judged'>,
  { deflatedSharpe }: Pick<VerdictConfig, 'deflatedSharpe'>,
): string {
  const days = judged.dailyReturns.length
  if (daysNeeded.reason !== undefined) {
    const [ratio, luck] = [annualSharpe(judged.dailyReturns).value, deflated.value?.expectedMaximum]
    const because =
      ratio === undefined || luck === undefined
        ? daysNeeded.reason
        : `its annual Sharpe ratio of ${fixed(ratio, 2)} is not above the ${fixed(luck * Math.sqrt(DAYS_PER_YEAR), 2)} that luck alone is expected to give the best of them.`
    return `No length of record would show it at these trials: ${because}`
  }
  const needed = Math.ceil(daysNeeded.value)
  const there = fixed(days, 0)
  const wait =
    needed > days ? `and there are only ${there} days` : `and there are ${there} days, which is long enough`
  return `A record like this shows a ratio above luck with probability ${deflatedSharpe} after ${lengthText(needed)}, ${wait}.`
}

function lengthText(days: number): string {
  if (days <= DAYS_SAID) return `${fixed(days, 0)} days`
  const years = days / DAYS_PER_YEAR
  const about = `about ${fixed(years, years < 10 ? 1 : 0)} years`
  return years > YEARS_LIVED ? `${about}, longer than anyone lives` : about
}
