import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { randomSampler } from '../../../src/research/sampling/random-sampler.ts'
import type { Sampler, ScoredPoint } from '../../../src/research/sampling/sampler.ts'
import { parametersAt } from '../../../src/research/sampling/search-space.ts'
import { tpeSampler } from '../../../src/research/sampling/tpe-sampler.ts'
import { quantileOf } from '../../../src/research/statistics/sample/quantile.ts'
import { hasShared, sharedPath } from '../../shared-data.ts'
import { SURFACES, type Surface } from './surfaces.ts'

/** Searches per surface; more with `SLUICE_RUNS`. */
const SEARCHES = 7 * Number(process.env.SLUICE_RUNS ?? 1)

/** The best values after 50 and after 100 trials of one search. */
function bestsOf({ space, minimise }: Surface, ask: Sampler): { after50: number; after100: number } {
  const finished: ScoredPoint[] = []
  let [best, after50] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let number = 0; number < 100; number++) {
    const unit = ask(number, { finished, pending: [] })
    if (unit === undefined) break
    const value = minimise(parametersAt(space, unit))
    finished.push({ unit, score: -value })
    best = Math.min(best, value)
    if (number === 49) after50 = best
  }
  return { after50, after100: best }
}

function mediansOf(surface: Surface, samplerOf: (seed: string) => Sampler) {
  const bests = Array.from({ length: SEARCHES }, (_, seed) => bestsOf(surface, samplerOf(`search ${seed}`)))
  const median = (values: number[]) => quantileOf(Float64Array.from(values).sort(), 0.5)
  return {
    after50: median(bests.map(({ after50 }) => after50)),
    after100: median(bests.map(({ after100 }) => after100)),
  }
}

describe('the Parzen estimator', () => {
  it.each(Object.entries(SURFACES))('beats random points on %s', (_, surface) => {
    const found = mediansOf(surface, seed => tpeSampler(surface.space, seed))
    const atRandom = mediansOf(surface, seed => randomSampler(surface.space, seed))
    expect(found.after50).toBeLessThan(atRandom.after50)
    expect(found.after100).toBeLessThan(atRandom.after100)
  })

  it.skipIf(!hasShared('oracles', 'research')).each(['branin', 'hartmann6', 'smaSurface'])(
    "has medians within the upper quarter of Optuna's on %s",
    name => {
      const { surface, cases } = reference()
      const found = { ...SURFACES, smaSurface: averagesSurface(surface.sharpe) }[name] as Surface
      const { after50, after100 } = mediansOf(found, seed => tpeSampler(found.space, seed))
      const bars = cases.find(({ id }) => id === `${name}/tpe`)?.expected
      expect(after50).toBeLessThanOrEqual(bars?.['50']['0.75'] ?? Number.NaN)
      expect(after100).toBeLessThanOrEqual(bars?.['100']['0.75'] ?? Number.NaN)
    },
  )
})

interface Reference {
  readonly surface: { readonly sharpe: readonly (readonly number[])[] }
  readonly cases: readonly { id: string; expected: Record<'50' | '100', Record<string, number>> }[]
}

function reference(): Reference {
  return JSON.parse(readFileSync(sharedPath('oracles', 'research', 'tpe-quality.json'), 'utf8'))
}

/** A real Sharpe surface of moving averages; more is better. */
function averagesSurface(sharpe: Reference['surface']['sharpe']): Surface {
  const index = (name: string, count: number) =>
    ({ kind: 'range', name, min: 0, max: count - 1, step: 1 }) as const
  return {
    space: [index('fast', sharpe.length), index('slow', sharpe[0]?.length ?? 0)],
    minimise: ({ fast, slow }) => -(sharpe[Number(fast)]?.[Number(slow)] ?? Number.NaN),
  }
}
