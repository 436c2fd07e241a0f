import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../src/domain/numbers/seeded-random.ts'
import { marketRegression } from '../../../src/research/statistics/sample/market-regression.ts'
import { defined, undefinedBecause } from '../../../src/research/statistics/statistic.ts'
import { verdictCriteria } from '../../../src/research/verdict/criteria.ts'
import { type Criterion, criterionResult, verdictOf } from '../../../src/research/verdict/criterion.ts'
import { trialsEvidence } from '../../../src/research/verdict/trials-evidence.ts'

const above = (value: number | undefined, changes: Partial<Criterion> = {}): Criterion => ({
  key: 'figure',
  title: 'figure',
  figure: value === undefined ? undefinedBecause('There is none.') : defined(value),
  unit: 'number',
  side: 'above',
  threshold: 1,
  against: 0,
  ...changes,
})

describe('a criterion', () => {
  it('passes only strictly beyond its threshold', () => {
    expect([2, 1.01, 1, 0.5, 0, -1].map(value => criterionResult(above(value)))).toEqual([
      ...['passed', 'passed', 'failed', 'failed', 'against', 'against'],
    ])
    const below = { side: 'below', threshold: 0.05, against: 0.5 } as const
    expect([0, 0.049, 0.05, 0.4, 0.5, 1].map(value => criterionResult(above(value, below)))).toEqual([
      ...['passed', 'passed', 'failed', 'failed', 'against', 'against'],
    ])
  })

  it('never passes undefined, nor as NaN', () => {
    expect(criterionResult(above(undefined))).toBe('undefined')
    expect(criterionResult(above(Number.NaN))).toBe('failed')
    expect(criterionResult(above(-5, { against: undefined }))).toBe('failed')
  })
})

describe('a verdict', () => {
  it('is an edge only where all pass', () => {
    expect(verdictOf([above(2), above(3)])).toBe('edge')
    expect(verdictOf([above(2), above(0.5)])).toBe('undecided')
    expect(verdictOf([above(2), above(undefined)])).toBe('undecided')
    expect(verdictOf([above(2), above(undefined), above(-1)])).toBe('no edge')
    expect(verdictOf([])).toBe('undecided')
  })

  it('leaves warnings out', () => {
    expect(verdictOf([above(2), above(-1, { isWarning: true })])).toBe('edge')
    expect(verdictOf([above(2, { isWarning: true })])).toBe('undecided')
  })
})

/** Days of trials: noise of 1%, and `edge` more on the last trial. */
function trialsWith(count: number, edge: number): Float64Array[] {
  const { normal } = seededRandom(`trials ${count} ${edge}`)
  return Array.from({ length: count }, (_, trial) =>
    Float64Array.from({ length: 500 }, () => 0.01 * normal() + (trial === count - 1 ? edge : 0)),
  )
}

const settings = { resamples: 500, seed: 'verdict', blocks: 8, confidence: 0.95 }
const thresholds = {
  superiorAbilityP: 0.05,
  deflatedSharpe: 0.95,
  outOfSampleT: 1,
  alphaT: 1,
  controlP: 0.05,
  efficiency: 0.5,
  overfitting: 0.5,
  losingShare: 0.05,
}

/** Days of a market that goes nowhere. */
const sideways = Float64Array.from({ length: 500 }, (_, day) => (day % 2 === 0 ? 0.01 : -0.01))
const knowing = { observed: 0.01, p: 0.001 }

function resultsOf(
  trials: readonly Float64Array[],
  outOfSample: Float64Array,
  { market = sideways, p = 0.001 }: { market?: Float64Array; p?: number } = {},
) {
  const chosen = trials.at(-1) as Float64Array
  const window = { inSample: chosen, outOfSample }
  const evidence = {
    trialCount: trials.length,
    trials: trialsEvidence({ trials, chosen, ...settings }),
    windows: [window, window],
    outOfSample,
    besideMarket: marketRegression(outOfSample, market.subarray(0, outOfSample.length)),
    controls: { random: defined({ ...knowing, p }), shifted: defined({ ...knowing, p }) },
    isFree: false,
    atDoubleCosts: defined(0.1),
    onWorstPath: defined(0.2),
    tripReturns: Float64Array.from({ length: 40 }, (_, trip) => (trip % 4 === 0 ? -0.01 : 0.01)),
    resamples: 200,
    seed: 'verdict',
  }
  const criteria = verdictCriteria(evidence, thresholds)
  const results = Object.fromEntries(criteria.map(one => [one.key, criterionResult(one)]))
  return { evidence, results, verdict: verdictOf(criteria) }
}

describe('the criteria', () => {
  it('find an edge that trials, tests and stress agree on', () => {
    const trials = trialsWith(12, 0.003)
    const { results, verdict } = resultsOf(trials, trials.at(-1) as Float64Array)
    expect(new Set(Object.values(results))).toEqual(new Set(['passed']))
    expect(verdict).toBe('edge')
  })

  it('never pass tests that lost everything on one day, whatever they earned on the others', () => {
    const trials = trialsWith(12, 0.01)
    // Of 1% a day on average, with a t of about 4.
    const tests = (trials.at(-1) as Float64Array).map((value, day) => (day === 499 ? -1 : value))
    const { results, verdict } = resultsOf(trials, tests)
    expect(results).toMatchObject({
      ...{ outOfSampleT: 'undefined', alphaT: 'undefined' },
      ...{ efficiency: 'undefined', newerEfficiency: 'undefined' },
    })
    expect(verdict).toBe('undecided')
  })

  it('judge the best trial also where another one lost everything', () => {
    const [other = new Float64Array(), ...trials] = trialsWith(12, 0.003)
    const ruined = other.map((value, day) => (day < 400 ? value : day === 400 ? -1 : 0))
    const { results, verdict } = resultsOf([ruined, ...trials], trials.at(-1) as Float64Array)
    expect(results).toMatchObject({ superiorAbility: 'passed', deflatedSharpe: 'passed' })
    expect(verdict).toBe('edge')
  })

  it('speak against what only the trials promise', () => {
    const trials = trialsWith(12, 0.003)
    const { results, verdict } = resultsOf(trials, trials.at(-1)?.map(value => -value) as Float64Array)
    expect(results).toMatchObject({
      superiorAbility: 'passed',
      deflatedSharpe: 'passed',
      outOfSampleT: 'against',
      efficiency: 'against',
      newerEfficiency: 'against',
    })
    expect(verdict).toBe('no edge')
  })

  it('speak against what holding the market explains, however much it earned', () => {
    const trials = trialsWith(12, 0.003)
    const best = trials.at(-1) as Float64Array
    // The market is twice as good on the same days, beside noise of its own.
    const { normal } = seededRandom('market')
    const market = best.map(value => 2 * value + 0.002 * normal() + 0.0005)
    const { results, verdict } = resultsOf(trials, best, { market })
    expect(results).toMatchObject({ outOfSampleT: 'passed', efficiency: 'passed', alphaT: 'against' })
    expect(verdict).toBe('no edge')
  })

  it('never pass positions that are no better than those at random times', () => {
    const trials = trialsWith(12, 0.003)
    const best = trials.at(-1) as Float64Array
    const judged = (p: number) => resultsOf(trials, best, { p })
    expect(judged(0.049).verdict).toBe('edge')
    expect(judged(0.165).results).toMatchObject({ randomEntries: 'failed', shiftedSignals: 'failed' })
    expect(judged(0.165).verdict).toBe('undecided')
    expect(judged(0.5).verdict).toBe('no edge')
  })

  it('find none in trials of noise, and say how long a record would be needed', () => {
    const trials = trialsWith(12, 0)
    const { results, verdict, evidence } = resultsOf(trials, trials[0] as Float64Array)
    expect(results.superiorAbility).not.toBe('passed')
    expect(results.deflatedSharpe).not.toBe('passed')
    expect(verdict).not.toBe('edge')
    const strong = trialsWith(12, 0.003)
    const { daysNeeded } = resultsOf(strong, strong[0] as Float64Array).evidence.trials
    expect(daysNeeded.value).toBeGreaterThan(1)
    expect(daysNeeded.value).toBeLessThan(500)
    expect(evidence.trials.tried.value?.trials).toBeGreaterThan(10)
  })

  it('take the only trial as chosen among no others: its ratio is deflated by nothing', () => {
    const [only = new Float64Array()] = trialsWith(1, 0.002)
    const { tried, deflated, overfitting } = trialsEvidence({ trials: [only], chosen: only, ...settings })
    expect(tried.value).toEqual({ trials: 1, variance: 0 })
    expect(deflated.value?.expectedMaximum).toBe(0)
    expect(overfitting).toEqual({ value: undefined, reason: 'With one trial nothing is selected.' })
  })

  it('are undefined, and not passed, where no trial trades', () => {
    const still = [new Float64Array(100), new Float64Array(100)]
    const { results, verdict } = resultsOf(still, new Float64Array(100))
    expect(results).toMatchObject({
      superiorAbility: 'undefined',
      deflatedSharpe: 'undefined',
      outOfSampleT: 'undefined',
      efficiency: 'undefined',
    })
    expect(verdict).toBe('undecided')
  })
})
