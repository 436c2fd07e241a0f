import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../src/domain/numbers/seeded-random.ts'
import { stationaryResamples } from '../../../../src/research/statistics/resampling/resamples.ts'
import { meanOf } from '../../../../src/research/statistics/sample/moments.ts'
import { backtestOverfitting } from '../../../../src/research/statistics/trials/backtest-overfitting.ts'
import { bootstrapVariance } from '../../../../src/research/statistics/trials/bootstrap-variance.ts'
import {
  effectiveTrials,
  varianceOfTrialSharpes,
} from '../../../../src/research/statistics/trials/effective-trials.ts'
import { eachHalf, halfCombinations } from '../../../../src/research/statistics/trials/half-combinations.ts'
import { ResampledMeans } from '../../../../src/research/statistics/trials/resampled-means.ts'
import { superiorAbility } from '../../../../src/research/statistics/trials/superior-ability.ts'
import { definedValue, expectAllNear, expectNear, givenResamples, SENTENCE } from '../reference-cases.ts'

const UP = Float64Array.of(1, 3, 1, 3)
const RISING = Float64Array.of(0.02, 0.04, -0.02, -0.04)
const FALLING = RISING.map(value => -value)

function noise(seed: string, count: number, periods: number, drift = 0): Float64Array[] {
  const { normal } = seededRandom(seed)
  return Array.from({ length: count }, () => Float64Array.from({ length: periods }, () => drift + normal()))
}

describe('the effective number of trials', () => {
  const across = Float64Array.of(1, 1, -1, -1)

  it.each([
    ['of two without correlation is two', [UP, across], 0, 2, 2, 2],
    ['of the same twice is one', [UP, UP.map(value => 2 * value)], 1, 1, 1, 1],
    ['of opposite ones is never above their number', [UP, UP.map(value => -value)], -1, 3, 2, 1],
    ['leaves out what does not vary', [UP, new Float64Array(4).fill(0.1), across], 0, 2, 2, 2],
  ])('%s', (_, trials, correlation, implied, effective, ratio) => {
    const found = definedValue(effectiveTrials(trials))
    expectNear(found.averageCorrelation, correlation, 1e-14)
    expectNear(found.implied, implied, 1e-14)
    expectNear(found.effective, effective, 1e-14)
    expectNear(found.participationRatio, ratio, 1e-14)
  })

  it('comes to the same by correlations of trials and of periods', () => {
    // 40 trials over 30 periods are summed over periods; the definition is over trials.
    const trials = noise('wide', 40, 30)
    const correlations = trials.flatMap(left => trials.map(right => correlation(left, right)))
    const squares = correlations.reduce((sum, value) => sum + value ** 2, 0)
    expectNear(definedValue(effectiveTrials(trials)).participationRatio, 1600 / squares, 1e-12)
  })

  it('is undefined where fewer than two trials vary, and so is the variance of their ratios', () => {
    for (const trials of [[], [UP], [UP, new Float64Array(4)], [UP, Float64Array.of(1, 2)]]) {
      expect(effectiveTrials(trials).reason).toMatch(SENTENCE)
      expect(varianceOfTrialSharpes(trials).reason).toMatch(SENTENCE)
    }
  })

  it('goes with the sample variance of their Sharpe ratios', () => {
    // Ratios 2 ÷ √(4/3) = √3 and -√3: the variance is 2·3 ÷ 1.
    expectNear(varianceOfTrialSharpes([UP, UP.map(value => -value)]).value, 6, 1e-14)
  })
})

describe('backtest overfitting', () => {
  it('is certain where each half chooses what loses in the other', () => {
    const found = definedValue(backtestOverfitting([RISING, FALLING], 2))
    const sharpe = 0.03 / Math.sqrt(0.0002)
    expect([found.pbo, found.pboStrict, found.probabilityOfLoss, found.combinations]).toEqual([1, 1, 1, 2])
    expect([...found.selected]).toEqual([0, 1])
    expectAllNear(found.relativeRank, [1 / 3, 1 / 3], 1e-15)
    expectNear(found.logitMean, Math.log(0.5), 1e-14)
    expectAllNear(found.inSample, [sharpe, sharpe], 1e-14)
    expectAllNear(found.outOfSample, [-sharpe, -sharpe], 1e-14)
    expect(found.degradation.reason).toMatch(SENTENCE)
  })

  it('is none where the same trial is the best everywhere', () => {
    const { pbo, probabilityOfLoss } = definedValue(backtestOverfitting([UP.map(value => -value), UP], 2))
    expect([pbo, probabilityOfLoss]).toEqual([0, 0])
  })

  it('drops the oldest rows that make no whole block', () => {
    const longer = [RISING, FALLING].map(trial => Float64Array.of(9, ...trial))
    expect(backtestOverfitting(longer, 2)).toEqual(backtestOverfitting([RISING, FALLING], 2))
  })

  it('gives a trial that never moves a ratio of 0', () => {
    const { outOfSample } = definedValue(backtestOverfitting([new Float64Array(4).fill(0.001), FALLING], 2))
    expectAllNear(outOfSample, [0, -0.03 / Math.sqrt(0.0002)], 1e-14)
  })

  it('agrees with Sharpe ratios of rows that are joined one by one', () => {
    const trials = noise('joined', 5, 26)
    const { inSample, selected } = definedValue(backtestOverfitting(trials, 6))
    let half = 0
    eachHalf(6, (chosen, _, index) => {
      const rows = [...chosen].flatMap(block => [0, 1, 2, 3].map(row => 2 + 4 * block + row))
      const ratios = trials.map(trial => plainSharpe(rows.map(row => trial[row] as number)))
      expectNear(inSample[index], Math.max(...ratios), 1e-12)
      expect(selected[index]).toBe(ratios.indexOf(Math.max(...ratios)))
      half++
    })
    expect(half).toBe(10)
  })

  it('has every choice of half of the blocks, and what is left of it', () => {
    const seen: number[][][] = []
    eachHalf(4, (chosen, others) => seen.push([[...chosen], [...others]]))
    expect(seen).toEqual([
      [
        [0, 1],
        [2, 3],
      ],
      [
        [0, 2],
        [1, 3],
      ],
      [
        [0, 3],
        [1, 2],
      ],
    ])
    expect([2, 4, 10, 16, 24].map(halfCombinations)).toEqual([2, 6, 252, 12_870, 2_704_156])
  })

  it('is undefined for one trial and for a short record, and refuses blocks that have no halves', () => {
    expect(backtestOverfitting([UP], 2).reason).toMatch(SENTENCE)
    expect(backtestOverfitting([UP, RISING], 6).reason).toMatch(SENTENCE)
    expect(backtestOverfitting([UP, Float64Array.of(1, Number.NaN, 1, 1)], 2).reason).toMatch(SENTENCE)
    for (const blocks of [0, 3, 2.5, 26])
      expect(() => backtestOverfitting([UP, RISING], blocks)).toThrow('even number')
  })
})

describe('superior ability', () => {
  it('counts resamples whose centred mean is above the best mean', () => {
    // Mean 0.005. Resampled means less it: 0, 0.025, -0.025 and 0.
    const trial = Float64Array.of(-0.02, 0.03, -0.02, 0.03)
    const rows = [
      [0, 1, 2, 3],
      [1, 1, 3, 3],
      [0, 0, 2, 2],
      [0, 1, 0, 1],
    ]
    const { notStudentised, means } = definedValue(superiorAbility([trial], givenResamples(rows), 1))
    expectAllNear(means, [0.005], 1e-14)
    expect(notStudentised).toEqual({ statistic: means[0], lower: 0.25, consistent: 0.25, upper: 0.25 })
  })

  it('is 1 where no trial beats the benchmark', () => {
    const rows = [
      [0, 1, 2, 3],
      [1, 1, 3, 3],
    ]
    const found = definedValue(superiorAbility([UP.map(value => -value)], givenResamples(rows), 2))
    expect(found.notStudentised).toMatchObject({ lower: 1, consistent: 1, upper: 1 })
    expect(found.studentised.value).toMatchObject({ statistic: 0, lower: 1, consistent: 1, upper: 1 })
  })

  it('finds a strong trial among many without an edge, and none among those alone', () => {
    const resamples = stationaryResamples({ size: 200, count: 300, seed: 'spa', meanBlock: 3 })
    const idle = noise('idle', 40, 200)
    const p = (trials: Float64Array[]) =>
      definedValue(definedValue(superiorAbility(trials, resamples, 3)).studentised).consistent
    expect(p(idle)).toBeGreaterThan(0.1)
    expect(p([...idle, ...noise('strong', 1, 200, 0.6)])).toBe(0)
  })

  it('is undefined without trials, periods or movement', () => {
    const rows = givenResamples([[0, 1, 2, 3]])
    expect(superiorAbility([], rows, 1).reason).toMatch(SENTENCE)
    expect(superiorAbility([Float64Array.of(1, 2)], rows, 1).reason).toMatch(SENTENCE)
    expect(superiorAbility([UP], givenResamples([]), 1).reason).toMatch(SENTENCE)
    const still = definedValue(superiorAbility([new Float64Array(4).fill(0.1)], rows, 1))
    expect(still.studentised.reason).toMatch(SENTENCE)
    expect(() => superiorAbility([UP], givenResamples([[0, 1]]), 1)).toThrow('Resamples of 2')
    expect(() => superiorAbility([UP], rows, 0.5)).toThrow('mean block')
  })

  it('adds the returns of resampled periods, in blocks and one by one', () => {
    const trials = noise('means', 3, 12)
    const means = new ResampledMeans(trials)
    for (const rows of [
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
      [11, 0, 1, 5, 5, 5, 6, 7, 3, 2, 1, 0],
    ]) {
      const expected = trials.map(trial => meanOf(rows.map(row => trial[row] as number)))
      expectAllNear(means.of(Int32Array.from(rows)), expected, 1e-12)
    }
  })

  it.each([1, 2, 7.5])('has the variance of a bootstrap with blocks of %d', meanBlock => {
    const [values = new Float64Array()] = noise('variance', 1, 40)
    const distances = values.map(value => value - meanOf(values))
    expectNear(bootstrapVariance(distances, meanBlock), plainVariance(distances, 1 - 1 / meanBlock), 1e-11)
    // g_0 = 1, g_1 = -1/2, κ_1 = 1/2: 1 + 2·1/2·(-1/2).
    expectNear(bootstrapVariance(Float64Array.of(1, -1), 2), 0.5, 1e-15)
  })
})

/** The sum over lags as it is written down. */
function plainVariance(distances: Float64Array, q: number): number {
  const { length: count } = distances
  const covariance = (lag: number) =>
    distances.reduce(
      (sum, value, index) => sum + (index < lag ? 0 : value * (distances[index - lag] as number)),
      0,
    ) / count
  let variance = covariance(0)
  for (let lag = 1; lag < count; lag++) {
    variance += 2 * ((1 - lag / count) * q ** lag + (lag / count) * q ** (count - lag)) * covariance(lag)
  }
  return variance
}

function plainSharpe(returns: readonly number[]): number {
  const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length
  const squares = returns.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return mean / Math.sqrt(squares / (returns.length - 1))
}

function correlation(left: Float64Array, right: Float64Array): number {
  const [meanLeft, meanRight] = [meanOf(left), meanOf(right)]
  let [product, squareLeft, squareRight] = [0, 0, 0]
  for (const [index, value] of left.entries()) {
    const [a, b] = [value - meanLeft, (right[index] as number) - meanRight]
    product += a * b
    squareLeft += a * a
    squareRight += b * b
  }
  return product / Math.sqrt(squareLeft * squareRight)
}
