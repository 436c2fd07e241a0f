import type { Statistic } from '../statistics/statistic.ts'

/** One figure that a verdict looks at, and what is wanted of it. */
export interface Criterion {
  readonly key: string
  /** The figure in words: "SPA p-value over 37 trials". */
  readonly title: string
  readonly figure: Statistic
  /** Notation of the figure: a plain number, a fraction as percent, or a probability, which is never shown as 0. */
  readonly unit: 'number' | 'percent' | 'probability'
  /** The figure passes strictly beyond `threshold` on this side. */
  readonly side: 'above' | 'below'
  readonly threshold: number
  /** At this bound, or farther from the threshold, the figure speaks against an edge; without it, it never does. */
  readonly against?: number | undefined
  /** True if the figure only warns, and decides nothing. */
  readonly isWarning?: boolean
}

/**
 * Place of a figure: `passed`, `failed` (not passed, but nothing against an edge either), `against` an edge, or `undefined`
 * where there is no figure. What is not passed does not count as passed.
 */
export type CriterionResult = 'passed' | 'failed' | 'against' | 'undefined'

/** Position of a figure between its thresholds. */
export function criterionResult({ figure, side, threshold, against }: Criterion): CriterionResult {
  if (figure.value === undefined) return 'undefined'
  const sign = side === 'above' ? 1 : -1
  if (sign * figure.value > sign * threshold) return 'passed'
  return against !== undefined && sign * figure.value <= sign * against ? 'against' : 'failed'
}

/** Answers of a verdict. */
export const VERDICTS = ['edge', 'undecided', 'no edge'] as const

export type Verdict = (typeof VERDICTS)[number]

/**
 * `edge` where every criterion passes, `no edge` where one speaks against it, `undecided` otherwise, also without criteria.
 * Warnings decide nothing.
 */
export function verdictOf(criteria: readonly Criterion[]): Verdict {
  const results = criteria.filter(({ isWarning }) => isWarning !== true).map(criterionResult)
  if (results.includes('against')) return 'no edge'
  return results.length > 0 && results.every(result => result === 'passed') ? 'edge' : 'undecided'
}
