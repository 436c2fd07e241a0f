export const CONFIDENCE = 0.95

/** Moments of one kind, and how many of them were tested. */
export interface TestedMoments {
  readonly tested: number
  readonly of: number
}

/**
 * The smallest share of moments such that, had a strategy cheated in as many of them, a random sample of the tested ones would
 * have met one with 95% confidence: 1 less the hypergeometric chance that a sample without replacement has none
 * (N. L. Johnson, S. Kotz, A. W. Kemp, Univariate Discrete Distributions, 6.2). 0 where there are no moments, 1 where none was
 * tested.
 */
export function detectableShare({ tested, of }: TestedMoments): number {
  if (of === 0) return 0
  let [missed, found] = [0, of]
  while (found - missed > 1) {
    const middle = (missed + found) >> 1
    if (chanceOfNone(tested, middle, of) <= 1 - CONFIDENCE) found = middle
    else missed = middle
  }
  return found / of
}

/** That none of `marked` among `of` is in a sample of `tested`. */
function chanceOfNone(tested: number, marked: number, of: number): number {
  if (tested + marked > of) return 0
  let chance = 1
  for (let drawn = 0; drawn < tested; drawn++) chance *= (of - marked - drawn) / (of - drawn)
  return chance
}
