import { seededRandomAt } from '../../domain/numbers/seeded-random.ts'
import type { Sampler } from './sampler.ts'
import { centredPoint, levelCount, type SearchSpace } from './search-space.ts'

/** Independent uniform points; a space of few points gives some of them twice. */
export function randomSampler(space: SearchSpace, seed: string): Sampler {
  const levels = space.map(levelCount)
  const streamAt = seededRandomAt(seed)
  return number => {
    const { uniform } = streamAt(number)
    return centredPoint(levels, new Float64Array(space.length).map(uniform))
  }
}
