import { levelCount, type SearchSpace, type UnitPoint } from '../../src/research/sampling/search-space.ts'
import type { SearchedTrial } from './search.ts'

/** Searched trials with a score, the best first, each point once; of equals the earlier number first. */
export function rankedTrials(trials: readonly SearchedTrial[]): readonly SearchedTrial[] {
  const first = new Map<string, SearchedTrial>()
  for (const trial of trials) {
    const key = trial.unit.join()
    if (trial.score !== undefined && !first.has(key)) first.set(key, trial)
  }
  return [...first.values()].sort(
    (left, right) => (right.score as number) - (left.score as number) || left.number - right.number, // all have one
  )
}

/** Trials of different parameter sets, each set once, by its earliest number. */
export function differentTrials<Searched extends Pick<SearchedTrial, 'trial'>>(
  trials: readonly Searched[],
): readonly Searched[] {
  const first = new Map<string, Searched>()
  for (const searched of trials) {
    const set = JSON.stringify(searched.trial.parameters)
    if (!first.has(set)) first.set(set, searched)
  }
  return [...first.values()]
}

/** Those of them that finished: what `check` refused was never tried. */
export function finishedTrials<Searched extends Pick<SearchedTrial, 'trial'>>(
  trials: readonly Searched[],
): readonly Searched[] {
  return differentTrials(trials).filter(({ trial }) => trial.outcome === 'finished')
}

/** Mean score of the neighbours of a point. */
export interface Plateau {
  /** `undefined` where no neighbour has a score. */
  readonly mean: number | undefined
  /** Neighbours with a score. */
  readonly scored: number
  /** Neighbours one step away, as far as they lie within the space. */
  readonly neighbours: number
}

/**
 * Mean score of the trials one step away from a point in one parameter. Only parameters of a step have neighbours. A score far
 * above this mean is a peak of luck rather than of the strategy.
 */
export function plateauOf(space: SearchSpace, trials: readonly SearchedTrial[], unit: UnitPoint): Plateau {
  const scores = new Map(trials.map(trial => [cellOf(space, trial.unit), trial.score]))
  const neighbours = neighboursOf(space, unit)
  const scored = neighbours.flatMap(neighbour => scores.get(cellOf(space, neighbour)) ?? [])
  return {
    mean: scored.length === 0 ? undefined : scored.reduce((sum, score) => sum + score, 0) / scored.length,
    scored: scored.length,
    neighbours: neighbours.length,
  }
}

/** Points one step away in one parameter, as far as they lie within the space; only parameters of a step have any. */
export function neighboursOf(space: SearchSpace, unit: UnitPoint): readonly UnitPoint[] {
  return space.flatMap((dimension, index) => {
    const levels = dimension.kind === 'range' ? levelCount(dimension) : undefined
    if (levels === undefined) return []
    const place = unit[index] as number // one for each dimension
    const moved = [place - 1 / levels, place + 1 / levels].filter(to => to >= 0 && to < 1)
    return moved.map(to => unit.map((coordinate, at) => (at === index ? to : coordinate)))
  })
}

/** A name of the cells that a point lies in; rounding never reaches the border of a cell from its middle. */
function cellOf(space: SearchSpace, unit: UnitPoint): string {
  return space
    .map((dimension, index) => {
      const levels = levelCount(dimension)
      const coordinate = unit[index] as number // one for each dimension
      return levels === undefined ? coordinate : Math.floor(coordinate * levels)
    })
    .join()
}

/**
 * Trials that no other one beats: none is at least as good by every objective and better by one. In the order given; `scores` has
 * those of each trial by all objectives, and a trial without one of them is left out.
 */
export function paretoFront<Scored extends { readonly scores: readonly (number | undefined)[] }>(
  trials: readonly Scored[],
): readonly Scored[] {
  const complete = trials.filter(({ scores }) => scores.every(score => score !== undefined))
  return complete.filter(one => !complete.some(other => beats(other.scores, one.scores)))
}

function beats(left: readonly (number | undefined)[], right: readonly (number | undefined)[]): boolean {
  let isBetter = false
  for (let index = 0; index < left.length; index++) {
    const [mine, theirs] = [left[index] as number, right[index] as number] // complete
    if (mine < theirs) return false
    if (mine > theirs) isBetter = true
  }
  return isBetter
}
