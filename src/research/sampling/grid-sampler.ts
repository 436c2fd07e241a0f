import { UsageError } from '../../domain/sluice-error.ts'
import type { Sampler } from './sampler.ts'
import { levelCount, type SearchSpace } from './search-space.ts'

/** All points of a space, the last parameter varying fastest. Throws `UsageError` for a continuous parameter. */
export function gridSampler(space: SearchSpace): Sampler {
  const levels = space.map(dimension => {
    const count = levelCount(dimension)
    if (count === undefined)
      throw new UsageError(
        `A grid needs a step for parameter "${dimension.name}"; give one with --param ${dimension.name}=from:to:step, or one value with --param ${dimension.name}=value.`,
      )
    return count
  })
  const size = levels.reduce((product, count) => product * count, 1)
  return number => (number < size ? gridPoint(levels, number) : undefined)
}

function gridPoint(levels: readonly number[], number: number): Float64Array {
  const unit = new Float64Array(levels.length)
  let rest = number
  for (let index = levels.length - 1; index >= 0; index--) {
    const count = levels[index] as number // inside the bounds
    unit[index] = ((rest % count) + 0.5) / count
    rest = Math.floor(rest / count)
  }
  return unit
}
