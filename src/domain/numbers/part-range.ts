import { type Steps, steps, stepsOfFraction } from './grid.ts'

/** Bounds of a part as fractions of a whole, so that parts round without a gap. */
export interface PartRange {
  readonly from: number
  readonly to: number
}

/** Tolerance of a sum of fractions that should be 1. */
const NOISE = 1e-9

/** The part of a fraction (above 0) that begins at `from`; a sum of 1 but for float noise is 1. */
export function partFrom(from: number, fraction: number): PartRange {
  const to = from + fraction
  return { from, to: Math.abs(to - 1) < NOISE ? 1 : to }
}

/** Steps of a part of `whole`. */
export function stepsOfPart({ from, to }: PartRange, whole: Steps): Steps {
  return steps(stepsOfFraction(whole, to) - stepsOfFraction(whole, from))
}
