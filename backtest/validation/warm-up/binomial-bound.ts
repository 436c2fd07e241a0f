/**
 * Upper confidence bound of a share with `hits` of `trials` observed: the largest share at which so few still
 * occur with a probability of 1 - `confidence` (one-sided; C. J. Clopper, E. S. Pearson, Biometrika 26, 1934,
 * 404-413). Found by bisection, to the last digit of a double: a package for the equal quantile of the beta
 * distribution brings dozens of others.
 */
export function upperBound(hits: number, trials: number, confidence: number): number {
  if (hits >= trials) return 1
  let [low, high] = [hits / trials, 1]
  for (let step = 0; step < 60; step++) {
    const share = (low + high) / 2
    if (chanceOfAtMost(hits, trials, share) > 1 - confidence) low = share
    else high = share
  }
  return high
}

/** Lower confidence bound of the same share. */
export function lowerBound(hits: number, trials: number, confidence: number): number {
  return 1 - upperBound(trials - hits, trials, confidence)
}

/** Probability of at most `hits` of `trials`, for a share above 0 and below 1. */
function chanceOfAtMost(hits: number, trials: number, share: number): number {
  // By logarithms: the chance of none of many is smaller than a double can be.
  let logChance = trials * Math.log1p(-share)
  let sum = Math.exp(logChance)
  for (let hit = 1; hit <= hits; hit++) {
    logChance += Math.log((trials - hit + 1) / hit) + Math.log(share) - Math.log1p(-share)
    sum += Math.exp(logChance)
  }
  return sum
}

/** Number of trials without a hit that bounds a share by `most`. */
export function trialsWithoutHit(most: number, confidence: number): number {
  return Math.ceil(Math.log(1 - confidence) / Math.log1p(-most))
}
