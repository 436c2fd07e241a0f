import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../src/domain/numbers/seeded-random.ts'
import { bcaSharpeInterval } from '../../../../src/research/statistics/resampling/bca-interval.ts'
import { optimalBlockLength } from '../../../../src/research/statistics/resampling/block-length.ts'
import {
  basicInterval,
  bootstrapMean,
  bootstrapSharpe,
  bootstrapStandardError,
  percentileInterval,
  shareNotPositive,
} from '../../../../src/research/statistics/resampling/bootstrap.ts'
import {
  permutationTest,
  randomSignFlips,
  signFlipTest,
} from '../../../../src/research/statistics/resampling/permutation-test.ts'
import {
  drawnResamples,
  type Resamples,
  shuffledResamples,
  stationaryResamples,
} from '../../../../src/research/statistics/resampling/resamples.ts'
import {
  pathQuantiles,
  resampledTrades,
} from '../../../../src/research/statistics/resampling/trade-resampling.ts'
import { definedValue, expectAllNear, expectNear, givenResamples, SENTENCE } from '../reference-cases.ts'

const PLAN = { size: 50, count: 40, seed: 'resamples' }

function rowsOf(resamples: Resamples): number[][] {
  return Array.from({ length: resamples.count }, (_, number) => rowOf(resamples, number))
}

function rowOf(resamples: Resamples, number: number): number[] {
  const indices = new Int32Array(resamples.size)
  resamples.fill(number, indices)
  return [...indices]
}

describe('resamples', () => {
  it('are permutations where they are shuffled', () => {
    const inOrder = Array.from({ length: 50 }, (_, index) => index)
    const rows = rowsOf(shuffledResamples(PLAN))
    for (const row of rows) expect(row.toSorted((left, right) => left - right)).toEqual(inOrder)
    expect(new Set(rows.map(String)).size).toBe(40)
  })

  it('put each value in each place about as often as any other', () => {
    const counts = new Map<string, number>()
    const shuffled = shuffledResamples({ size: 3, count: 6000, seed: 'fair' })
    for (const row of rowsOf(shuffled)) counts.set(String(row), (counts.get(String(row)) ?? 0) + 1)
    expect(counts.size).toBe(6)
    // 1000 each, with a deviation of √(6000·1/6·5/6) = 29.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150)
  })

  it('lie inside the sample where they are drawn', () => {
    for (const row of rowsOf(drawnResamples(PLAN))) {
      expect(row.every(index => Number.isInteger(index) && index >= 0 && index < 50)).toBe(true)
    }
  })

  it('are blocks of the mean length where they are stationary', () => {
    const rows = rowsOf(stationaryResamples({ size: 500, count: 60, seed: 'blocks', meanBlock: 5 }))
    const follows = rows.flatMap(row =>
      row.slice(1).map((index, place) => index === ((row[place] as number) + 1) % 500),
    )
    // Each index but the first follows with 4/5, and 1/5 · 1/500 by chance: 0.8004 ± 0.0023 (one deviation).
    expect(Math.abs(follows.filter(Boolean).length / follows.length - 0.8004)).toBeLessThan(0.012)
  })

  it('are the same for a seed, whatever the order they are asked for in', () => {
    for (const resamples of [
      drawnResamples(PLAN),
      shuffledResamples(PLAN),
      stationaryResamples({ ...PLAN, meanBlock: 4 }),
    ]) {
      const rows = rowsOf(resamples)
      expect(rowOf(resamples, 17)).toEqual(rows[17])
      expect(rowOf(resamples, 3)).toEqual(rows[3])
    }
    expect(rowsOf(drawnResamples(PLAN))).toEqual(rowsOf(drawnResamples(PLAN)))
    expect(rowsOf(drawnResamples(PLAN))).not.toEqual(rowsOf(drawnResamples({ ...PLAN, seed: 'others' })))
  })

  it('refuse a block shorter than one value', () => {
    expect(() => stationaryResamples({ ...PLAN, meanBlock: 0.5 })).toThrow('mean block')
  })
})

describe('the optimal block', () => {
  it('is short for independent returns and longer the longer returns remember', () => {
    const { normal } = seededRandom('memory')
    const shocks = Array.from({ length: 2000 }, normal)
    const lengths = [0, 0.5, 0.9].map(memory => {
      let value = 0
      const returns = shocks.map(shock => (value = memory * value + shock))
      return definedValue(optimalBlockLength(returns)).stationary
    })
    expect(lengths).toEqual(lengths.toSorted((left, right) => left - right))
    expect(lengths[0]).toBeLessThan(5)
    expect(lengths[2]).toBeGreaterThan(20)
  })

  it.each([
    ['few returns', [1, 2, 3]],
    ['equal returns', Array.from({ length: 20 }, () => 0.1)],
    ['missing returns', Array.from({ length: 20 }, () => Number.NaN)],
  ])('is undefined for %s', (_, returns) => {
    expect(optimalBlockLength(returns).reason).toMatch(SENTENCE)
  })
})

describe('a bootstrap', () => {
  const rows = [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
    [0, 1],
  ]

  it('has quantiles, an error and a share of losses', () => {
    // Means of (-1, 3): -1, 1, 1, 3, 1; in order -1, 1, 1, 1, 3.
    const found = definedValue(bootstrapMean([-1, 3], givenResamples(rows)))
    expect([found.observed, [...found.resampled]]).toEqual([1, [-1, 1, 1, 1, 3]])
    // Positions 4·0.25 and 4·0.75.
    expect(percentileInterval(found, 0.5)).toEqual([1, 1])
    expectAllNear(percentileInterval(found, 0.9), [-0.6, 2.6], 1e-12)
    expectAllNear(basicInterval(found, 0.9), [-0.6, 2.6], 1e-12)
    expectNear(bootstrapStandardError(found), Math.sqrt(8 / 5), 1e-14)
    expect(shareNotPositive(found)).toBe(0.2)
  })

  it('leaves out resamples without a ratio, and says how many', () => {
    const found = definedValue(bootstrapSharpe([-1, 3], givenResamples(rows)))
    expect([found.undefinedCount, found.resampled.length]).toEqual([2, 3])
    expect(bootstrapSharpe([-1, 3], givenResamples([[0, 0]])).reason).toMatch(SENTENCE)
    expect(bootstrapSharpe([2, 2], givenResamples(rows)).reason).toMatch(SENTENCE)
    expect(bootstrapMean([Number.NaN, 2], givenResamples(rows)).reason).toMatch(SENTENCE)
  })

  it('covers the true ratio about as often as it says', () => {
    // Normal returns with a true ratio of 0.2: 80 samples of 60 returns, intervals of 90%.
    const { normal } = seededRandom('coverage')
    const covered = Array.from({ length: 80 }, (_, sample) => {
      const returns = Array.from({ length: 60 }, () => 0.2 + normal())
      const found = definedValue(
        bootstrapSharpe(returns, drawnResamples({ size: 60, count: 200, seed: `${sample}` })),
      )
      const [lower, upper] = definedValue(bcaSharpeInterval(found, returns, 0.9)).interval
      return lower <= 0.2 && 0.2 <= upper
    }).filter(Boolean)
    // 72 are expected, with a deviation of √(80·0.9·0.1) = 2.7.
    expect(Math.abs(covered.length - 72)).toBeLessThan(9)
  })

  it('has no BCa interval for few returns, nor without a spread', () => {
    const resamples = drawnResamples({ size: 3, count: 20, seed: 'few' })
    const few = definedValue(bootstrapSharpe([1, 2, 4], resamples))
    expect(bcaSharpeInterval(few, [1, 2, 4], 0.9).reason).toMatch(SENTENCE)
    const jump = [0, 0, 0, 1]
    const single = definedValue(bootstrapSharpe(jump, drawnResamples({ size: 4, count: 50, seed: 'jump' })))
    expect(bcaSharpeInterval(single, jump, 0.9).reason).toMatch(SENTENCE)
    expect(() => bcaSharpeInterval(single, jump, 1)).toThrow('confidence')
  })

  it('refuses resamples of another size', () => {
    expect(() => bootstrapMean([1, 2, 3], givenResamples(rows))).toThrow('Resamples of 2')
  })
})

describe('a permutation test', () => {
  it('counts controls that reach the observed statistic, and itself', () => {
    expect(definedValue(permutationTest(2, [1, 2, 3])).p).toBe(0.75)
    expect(definedValue(permutationTest(9, [1, 2, 3])).p).toBe(0.25)
    // 0.1 + 0.2 is above 0.3 by rounding alone.
    expect(definedValue(permutationTest(0.1 + 0.2, [0.3])).p).toBe(1)
  })

  it('flips signs of returns', () => {
    const signs = [
      [1, 1],
      [-1, -1],
      [1, -1],
    ]
    const fill = (number: number, flipped: Int8Array) => flipped.set(signs[number] ?? [])
    expect(definedValue(signFlipTest([1, 1], { count: 3, fill }))).toEqual({ observed: 1, p: 0.5 })
  })

  it('finds a drift and none in noise, the same for a seed', () => {
    const { normal } = seededRandom('drift')
    const idle = Array.from({ length: 100 }, normal)
    const flips = randomSignFlips({ count: 500, seed: 'flips' })
    const p = (returns: number[]) => definedValue(signFlipTest(returns, flips)).p
    expect(p(idle.map(value => value + 1))).toBe(1 / 501)
    expect(p(idle)).toBeGreaterThan(0.02)
    expect(p(idle)).toBe(p(idle))
  })

  it.each([
    ['no controls', permutationTest(1, [])],
    ['no statistic', permutationTest(Number.NaN, [1])],
    ['a control without one', permutationTest(1, [1, Number.NaN])],
    ['no returns', signFlipTest([], randomSignFlips({ count: 3, seed: 'none' }))],
  ])('is undefined for %s', (_, statistic) => {
    expect(statistic.reason).toMatch(SENTENCE)
  })
})

describe('trades in another order', () => {
  it('end the same but fall deeper or less deep', () => {
    // 1.5 · 0.5 · 1.2 · 0.8: observed 1.5 → 0.75 → 0.9 → 0.72, 52% below 1.5.
    const trades = [0.5, -0.5, 0.2, -0.2]
    const rows = [
      [0, 1, 2, 3],
      [1, 3, 0, 2],
      [2, 3, 0, 1],
    ]
    const { observed, paths, shareWorseThanObserved, shareLosing } = definedValue(
      resampledTrades(trades, givenResamples(rows)),
    )
    expectNear(observed.finalFactor, 0.72, 1e-14)
    expectNear(observed.maxDrawdown, 0.52, 1e-14)
    expect(observed.longestLosingStreak).toBe(1)
    // 0.5 → 0.4 is 60% below the start; 1.2 → 0.96 → 1.44 → 0.72 is 50% below 1.44.
    expectAllNear(paths.maxDrawdown, [0.5, 0.52, 0.6], 1e-14)
    expect([...paths.longestLosingStreak]).toEqual([1, 1, 2])
    expectAllNear(pathQuantiles(paths.maxDrawdown, [0.5, 1]), [0.52, 0.6], 1e-14)
    expectNear(shareWorseThanObserved, 1 / 3, 1e-15)
    expect(shareLosing).toBe(1)
  })

  it('may lose everything, but not more', () => {
    const whole = definedValue(resampledTrades([-1, 0.5], givenResamples([[0, 1]])))
    expect(whole.observed).toEqual({ finalFactor: 0, maxDrawdown: 1, longestLosingStreak: 1 })
    expect(resampledTrades([-1.2, 0.5], givenResamples([[0, 1]])).reason).toMatch(SENTENCE)
    expect(resampledTrades([], givenResamples([])).reason).toMatch(SENTENCE)
    expect(resampledTrades([0.1], givenResamples([])).reason).toMatch(SENTENCE)
  })
})
