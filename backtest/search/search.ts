import type { TimeSpan } from '../../src/klines/slice-klines.ts'
import { gridSampler } from '../../src/research/sampling/grid-sampler.ts'
import { randomSampler } from '../../src/research/sampling/random-sampler.ts'
import type { Sampler, ScoredPoint } from '../../src/research/sampling/sampler.ts'
import { parametersAt, type SearchSpace, type UnitPoint } from '../../src/research/sampling/search-space.ts'
import { sobolSampler } from '../../src/research/sampling/sobol-sampler.ts'
import { tpeSampler } from '../../src/research/sampling/tpe-sampler.ts'
import type { FinishedTrial, Trial, TrialRunner } from '../trials/trial.ts'
import type { SamplerName } from './sampler-name.ts'
import type { SearchedParameters } from './searched-parameters.ts'

/** A search over the parameters of one strategy. */
export interface SearchOptions {
  readonly parameters: SearchedParameters
  readonly sampler: SamplerName
  readonly seed: number
  /** Most trials; a grid ends by itself. */
  readonly trials: number
  readonly runner: TrialRunner
  /** Score of a trial, of which more is better; `undefined` where it has none. */
  readonly score: (trial: FinishedTrial) => number | undefined
  /** Default: all klines. */
  readonly span?: TimeSpan | undefined
  /** Called with each trial as soon as it is known, in any order. */
  readonly onTrial?: ((trial: SearchedTrial) => void) | undefined
}

/** A trial of a search. */
export interface SearchedTrial {
  /** From 0, in the order of asking. */
  readonly number: number
  readonly unit: UnitPoint
  readonly trial: Trial
  /** `undefined` for a trial that has none. */
  readonly score: number | undefined
}

/**
 * Trials that are asked for together. A fixed number, so that the next ones depend on the same results on any number of
 * threads. Only TPE learns from results; the others take more at once.
 */
const ROUND: Readonly<Record<SamplerName, number>> = { grid: 256, random: 256, sobol: 256, tpe: 16 }

/**
 * Searches in rounds: the sampler is asked for all trials of a round, is told of those under way as bad ones, and of their
 * results in order of number. The same options give the same trials. Resolves to them in order of number; rejects as the runner does.
 */
export async function search(options: SearchOptions): Promise<readonly SearchedTrial[]> {
  const { parameters, trials: most, runner, score, span, onTrial } = options
  const sampler = samplerOf(options.sampler, parameters.space, options.seed)
  const searched: SearchedTrial[] = []
  const finished: ScoredPoint[] = []
  for (;;) {
    const first = searched.length
    const units = asked(sampler, finished, Math.min(ROUND[options.sampler], most - first))
    if (units.length === 0) return searched
    const of = (trial: Trial, index: number): SearchedTrial => ({
      number: first + index,
      unit: units[index] as UnitPoint, // one for each
      trial,
      score: trial.outcome === 'finished' ? score(trial) : undefined,
    })
    const sets = units.map(unit => ({ ...parameters.fixed, ...parametersAt(parameters.space, unit) }))
    const trials = await runner.run(sets, span, onTrial && ((trial, index) => onTrial(of(trial, index))))
    searched.push(...trials.map(of))
    finished.push(...searched.slice(first))
  }
}

function asked(sampler: Sampler, finished: readonly ScoredPoint[], count: number): UnitPoint[] {
  const pending: UnitPoint[] = []
  while (pending.length < count) {
    const unit = sampler(finished.length + pending.length, { finished, pending })
    if (unit === undefined) break
    pending.push(unit)
  }
  return pending
}

/** The sampler of a name; throws `UsageError` where it cannot search the space. */
export function samplerOf(name: SamplerName, space: SearchSpace, seed: number): Sampler {
  switch (name) {
    case 'grid':
      return gridSampler(space)
    case 'random':
      return randomSampler(space, `${seed}`)
    case 'sobol':
      return sobolSampler(space, `${seed}`)
    case 'tpe':
      return tpeSampler(space, `${seed}`)
  }
}
