import { describe, expect, it } from 'vitest'
import type { Trial } from '../../../backtest/trials/trial.ts'
import { type Summarized, verdictSummary } from '../../../src/cli/research/verdict-summary.ts'
import { waitSentence } from '../../../src/cli/research/wait-sentence.ts'
import { defined, type Statistic, undefinedBecause } from '../../../src/research/statistics/statistic.ts'
import { verdictCriteria } from '../../../src/research/verdict/criteria.ts'
import type { Criterion } from '../../../src/research/verdict/criterion.ts'

const traded = (fills: number, fast = 0) => ({
  trial: { outcome: 'finished', parameters: { fast }, figures: { fills } } as unknown as Trial,
})

/** A criterion that passes above 1, and speaks against an edge from 0 on. */
const criterion = (key: string, value: number): Criterion => ({
  ...{ key, title: `title of ${key}`, figure: defined(value), unit: 'number' },
  ...{ side: 'above', threshold: 1, against: 0 },
})

function summaryOf(verdict: Summarized['verdict'], values: Readonly<Record<string, number>>, fills = [2]) {
  const criteria = Object.entries(values).map(([key, value]) => criterion(key, value))
  return verdictSummary({ verdict, criteria, searched: fills.map((of, fast) => traded(of, fast)) })
}

describe('the summary of a verdict', () => {
  it('names what spoke against an edge, and not what was merely not passed', () => {
    const { why, next } = summaryOf('no edge', {
      superiorAbility: 2,
      deflatedSharpe: 0.5,
      newerEfficiency: -1,
    })
    expect(why).toBe('in the newer half of the tests it earned nothing, so what once worked may have ended.')
    expect(next).toMatch(/^do not trade it\. /)
  })

  it('names three reasons, the most telling first, and counts the others', () => {
    const against = { superiorAbility: -1, deflatedSharpe: -1, alphaT: -1, outOfSampleT: -1, doubleCosts: -1 }
    expect(summaryOf('no edge', against).why).toBe(
      'at double fees and slippage it earns nothing; on klines that did not choose its parameters it earned nothing; it earned nothing beyond what holding the market would have earned; and 2 more below.',
    )
  })

  it('says of undecided what could not be said', () => {
    const { why, next } = summaryOf('undecided', { superiorAbility: 0.5, alphaT: 2 })
    expect(why).toBe(
      'nothing speaks against an edge, and yet the best of so many parameter sets is not clearly better than luck makes the best of as many.',
    )
    expect(next).toMatch(/^do not trade it yet\. Judge it on klines that chose nothing/)
  })

  it('says of an edge that each criterion passed, and what comes before money', () => {
    const { why, next } = summaryOf('edge', { superiorAbility: 2, alphaT: 2 })
    expect(why).toBe('each of the 2 criteria below is passed.')
    expect(next).toMatch(/^trade it on paper/)
  })

  it('says of what never traded that it never traded', () => {
    const { why, next } = summaryOf('no edge', { doubleCosts: 0 }, [0, 0])
    expect(why).toBe(
      'it never traded: none of 2 parameter sets bought or sold anything on these klines, so there is nothing to judge.',
    )
    expect(next).toMatch(/^run npm run backtest with it/)
    const again = [traded(0, 1), traded(0, 1), traded(0, 2)]
    expect(verdictSummary({ verdict: 'no edge', criteria: [], searched: again }).why).toContain('none of 2 ')
    expect(summaryOf('no edge', { doubleCosts: 0 }, [0, 1]).why).toMatch(/^at double fees/)
  })

  it('asks for costs where there were none to judge by', () => {
    const reason = undefinedBecause('There are none.')
    const costs: Criterion = { ...criterion('doubleCosts', 0), figure: reason, isWarning: true }
    for (const verdict of ['edge', 'undecided'] as const)
      expect(verdictSummary({ verdict, criteria: [costs], searched: [traded(1)] }).next).toMatch(
        /^give the fees and the slippage of your exchange in the configuration/,
      )
    const { next } = verdictSummary({ verdict: 'no edge', criteria: [costs], searched: [traded(1)] })
    expect(next).toMatch(/^do not trade it/)
  })

  it('has words for each criterion that decides', () => {
    const nothing = undefinedBecause('None.')
    const criteria = verdictCriteria(
      {
        ...{ trialCount: 1, windows: [], outOfSample: new Float64Array(), besideMarket: nothing },
        trials: {
          superiorAbility: nothing,
          deflated: nothing,
          tried: nothing,
          daysNeeded: nothing,
          overfitting: nothing,
        },
        ...{
          controls: { random: nothing, shifted: nothing },
          isFree: false,
          atDoubleCosts: nothing,
          onWorstPath: nothing,
        },
        ...{ tripReturns: new Float64Array(), resamples: 1, seed: 'a' },
      },
      {
        ...{ superiorAbilityP: 0.05, deflatedSharpe: 0.95, outOfSampleT: 1, alphaT: 1, efficiency: 0.5 },
        ...{ controlP: 0.05, overfitting: 0.5, losingShare: 0.05 },
      },
    ).filter(({ isWarning }) => isWarning !== true)
    for (const one of criteria) {
      const { why } = verdictSummary({ verdict: 'undecided', criteria: [one], searched: [traded(1)] })
      expect(why).not.toContain(one.title)
    }
  })
})

describe('the record needed', () => {
  const sentence = (daysNeeded: Statistic, there: number) =>
    waitSentence(
      {
        trials: { daysNeeded, deflated: defined({ expectedMaximum: 0.1 }) },
        judged: {
          dailyReturns: Float64Array.from({ length: there }, (_, day) => (day % 2 === 0 ? 0.01 : -0.01)),
        },
      } as unknown as Parameters<typeof waitSentence>[0],
      { deflatedSharpe: 0.95 },
    )
  const begin = 'A record like this shows a ratio above luck with probability 0.95 after '

  it.each([
    [500.2, 366, '501 days, and there are only 366 days.'],
    [361, 834, '361 days, and there are 834 days, which is long enough.'],
    // 365 × 3.5
    [1277, 366, 'about 3.5 years, and there are only 366 days.'],
    // 937,665 ÷ 365 = 2,568.9
    [937_665, 366, 'about 2,569 years, longer than anyone lives, and there are only 366 days.'],
  ])('of %d days, where there are %d, is said as people say it', (needed, there, end) => {
    expect(sentence(defined(needed), there)).toBe(`${begin}${end}`)
  })

  it('that no length reaches compares annual ratios', () => {
    // Returns of ±1% in turns have a ratio of 0; a daily 0.1 is 0.1·√365 = 1.91 a year.
    expect(sentence(undefinedBecause('The Sharpe ratio of a period, 0, is not above 0.1.'), 40)).toBe(
      'No length of record would show it at these trials: its annual Sharpe ratio of 0.00 is not above the 1.91 that luck alone is expected to give the best of them.',
    )
  })
})
