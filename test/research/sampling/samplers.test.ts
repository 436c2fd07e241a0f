import { describe, expect, it } from 'vitest'
import { gridSampler } from '../../../src/research/sampling/grid-sampler.ts'
import { randomSampler } from '../../../src/research/sampling/random-sampler.ts'
import type { AskedSoFar, Sampler } from '../../../src/research/sampling/sampler.ts'
import {
  type ParameterPoint,
  parametersAt,
  type SearchSpace,
  sizeOf,
} from '../../../src/research/sampling/search-space.ts'
import {
  MOST_SOBOL_DIMENSIONS,
  sobolSampler,
  sobolSequence,
} from '../../../src/research/sampling/sobol-sampler.ts'
import { tpeSampler } from '../../../src/research/sampling/tpe-sampler.ts'
import { hasShared } from '../../shared-data.ts'
import { referenceCases } from '../statistics/reference-cases.ts'
import { SURFACES } from './surfaces.ts'

const NOTHING: AskedSoFar = { finished: [], pending: [] }
const MIXED: SearchSpace = [
  { kind: 'range', name: 'rate', min: 0.1, max: 0.3, step: 0.1 },
  { kind: 'choice', name: 'side', options: ['long', 'both'] },
]

function pointsOf(
  space: SearchSpace,
  sampler: Sampler,
  count: number,
  known = NOTHING,
): (ParameterPoint | undefined)[] {
  return Array.from({ length: count }, (_, number) => {
    const unit = sampler(number, known)
    return unit === undefined ? undefined : parametersAt(space, unit)
  })
}

/** Plays a search to its end: every trial is told before the next one is asked. */
function search(
  space: SearchSpace,
  ask: Sampler,
  score: (point: ParameterPoint) => number | undefined,
  count: number,
) {
  const finished: { unit: Float64Array; score: number | undefined }[] = []
  for (let number = 0; number < count; number++) {
    const unit = ask(number, { finished, pending: [] })
    if (unit === undefined) break
    finished.push({ unit, score: score(parametersAt(space, unit)) })
  }
  return finished
}

describe('a grid', () => {
  it('has every point once, in order, with the decimals that are meant', () => {
    expect(pointsOf(MIXED, gridSampler(MIXED), 7)).toEqual([
      { rate: 0.1, side: 'long' },
      { rate: 0.1, side: 'both' },
      { rate: 0.2, side: 'long' },
      { rate: 0.2, side: 'both' },
      { rate: 0.3, side: 'long' },
      { rate: 0.3, side: 'both' },
      undefined,
    ])
    expect(sizeOf(MIXED)).toBe(6)
  })

  it('needs steps, and a space values', () => {
    expect(() => gridSampler([{ kind: 'range', name: 'x', min: 0, max: 1 }])).toThrow(
      'step for parameter "x"',
    )
    for (const dimension of [
      { kind: 'range', name: 'x', min: 2, max: 1, step: 1 },
      { kind: 'range', name: 'x', min: 0, max: 1, step: 0 },
      { kind: 'choice', name: 'x', options: [] },
    ] as const) {
      expect(() => gridSampler([dimension])).toThrow('"x" has no value')
    }
    expect(sizeOf([{ kind: 'range', name: 'x', min: 0, max: 1 }])).toBeUndefined()
    expect(sizeOf([{ kind: 'range', name: 'x', min: 3, max: 3 }])).toBe(1)
  })
})

describe('the Sobol sequence', () => {
  const first = (dimensions: number, count: number) => {
    const sequence = sobolSequence(dimensions)
    return Array.from({ length: count }, (_, index) =>
      Array.from(sequence(index), digits => digits / 2 ** 32),
    )
  }

  it('begins as published by its authors in three dimensions', () => {
    expect(first(3, 10)).toEqual([
      [0, 0, 0],
      [0.5, 0.5, 0.5],
      [0.75, 0.25, 0.25],
      [0.25, 0.75, 0.75],
      [0.375, 0.375, 0.625],
      [0.875, 0.875, 0.125],
      [0.625, 0.125, 0.875],
      [0.125, 0.625, 0.375],
      [0.1875, 0.3125, 0.9375],
      [0.6875, 0.8125, 0.4375],
    ])
  })

  // scipy.stats.qmc.Sobol(40, scramble=False) of scipy 1.17.1, point 5, in eighths.
  const POINT_5 = '7713757331377173733555733371557533111373'

  it('agrees with scipy in all of its dimensions', () => {
    const eighths = Array.from(sobolSequence(40)(5), digits => (digits / 2 ** 32) * 8)
    expect(eighths.join('')).toBe(POINT_5)
    expect(() => sobolSequence(MOST_SOBOL_DIMENSIONS + 1)).toThrow('at most 40 dimensions')
  })

  it('puts one point in each of 256 cells of every dimension, shifted or not', () => {
    const space: SearchSpace = Array.from({ length: 40 }, (_, index) => ({
      kind: 'range',
      name: `${index}`,
      min: 0,
      max: 1,
    }))
    const plain = first(40, 256)
    const ask = sobolSampler(space, 'cells')
    const shifted = Array.from({ length: 256 }, (_, number) => ask(number, NOTHING))
    for (let dimension = 0; dimension < 40; dimension += 3) {
      const cells = (points: (ArrayLike<number> | undefined)[]) =>
        new Set(points.map(point => Math.floor((point?.[dimension] ?? 0) * 256))).size
      expect([cells(plain), cells(shifted)]).toEqual([256, 256])
    }
  })

  it.skipIf(!hasShared('oracles', 'research'))('agrees with the reference points', () => {
    interface Case {
      readonly sequence?: string
      readonly dimensions: number
      readonly skip?: number
      readonly expected: readonly (readonly number[])[]
    }
    const cases = referenceCases<Case>('quasi-random').filter(({ sequence }) => sequence === 'sobol')
    expect(cases.length).toBeGreaterThan(3)
    for (const { dimensions, skip = 0, expected } of cases) {
      expect(first(dimensions, skip + expected.length).slice(skip)).toEqual(expected)
    }
  })
})

describe('samplers', () => {
  const samplers: readonly [string, (seed: string) => Sampler][] = [
    ['random', seed => randomSampler(SURFACES.branin.space, seed)],
    ['sobol', seed => sobolSampler(SURFACES.branin.space, seed)],
    ['tpe', seed => tpeSampler(SURFACES.branin.space, seed)],
  ]

  it.each(samplers)(
    '%s: the same seed and trials give the same point, another seed another one',
    (_, samplerOf) => {
      const { space, minimise } = SURFACES.branin
      const score = (point: ParameterPoint) => -minimise(point)
      const whole = search(space, samplerOf('one'), score, 30)
      // A sampler made anew goes on from the finished trials alone.
      const resumed = samplerOf('one')(20, { finished: whole.slice(0, 20), pending: [] })
      expect(resumed).toEqual(whole[20]?.unit)
      expect(samplerOf('two')(20, { finished: whole.slice(0, 20), pending: [] })).not.toEqual(resumed)
    },
  )
})

describe('the Parzen estimator', () => {
  it('asks every point of a small space before it asks one again', () => {
    const trials = search(MIXED, tpeSampler(MIXED, 'small'), ({ rate }) => Number(rate), 6)
    expect(new Set(trials.map(({ unit }) => String(unit))).size).toBe(6)
  })

  it('learns a choice, and stays away from what is refused', () => {
    const space: SearchSpace = [
      { kind: 'choice', name: 'side', options: ['a', 'b', 'c', 'd'] },
      { kind: 'range', name: 'x', min: 0, max: 1 },
    ]
    const score = ({ side, x }: ParameterPoint) =>
      Number(x) > 0.5 ? undefined : side === 'c' ? 2 - Number(x) : 0
    const late = search(space, tpeSampler(space, 'choice'), score, 80).slice(40)
    const share = late.filter(({ unit }) => parametersAt(space, unit).side === 'c').length / late.length
    const refused = late.filter(trial => trial.score === undefined).length / late.length
    expect(share).toBeGreaterThan(0.5)
    expect(refused).toBeLessThan(0.25)
  })

  it('spreads trials that are under way', () => {
    const { space, minimise } = SURFACES.branin
    const finished = search(space, tpeSampler(space, 'spread'), point => -minimise(point), 40)
    const pending: Float64Array[] = []
    for (let number = 40; number < 48; number++) {
      pending.push(tpeSampler(space, 'spread')(number, { finished, pending }) as Float64Array)
    }
    expect(new Set(pending.map(String)).size).toBe(8)
  })
})
