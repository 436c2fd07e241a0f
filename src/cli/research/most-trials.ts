import type { SearchedParameters } from '../../../backtest/search/searched-parameters.ts'
import { numberText } from '../../bot/text/figures.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { sizeOf } from '../../research/sampling/search-space.ts'
import type { SearchRequest } from './search-request.ts'

/** Trials of a search that says no number, and is no grid. */
const DEFAULT_TRIALS = 100
/** Most trials of a grid that says no number. */
const MOST_TRIALS = 1_000_000

/** Trials that a search asks for, of a single point one; throws `UsageError` for a grid that is too large. */
export function mostTrials({ sampler, trials }: SearchRequest, { space }: SearchedParameters): number {
  const points = sizeOf(space)
  if (points === 1) return 1
  const size = sampler === 'grid' ? (points ?? MOST_TRIALS) : DEFAULT_TRIALS
  if (trials === undefined && size > MOST_TRIALS)
    throw new UsageError(
      `The grid has ${numberText(size)} points; narrow it with --param, or say how many with --trials.`,
    )
  return sampler === 'grid' ? Math.min(size, trials ?? size) : (trials ?? size)
}
