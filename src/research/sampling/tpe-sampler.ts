import { seededRandomAt } from '../../domain/numbers/seeded-random.ts'
import { ParzenEstimator } from './parzen-estimator.ts'
import { randomSampler } from './random-sampler.ts'
import type { AskedSoFar, Sampler } from './sampler.ts'
import { centredPoint, levelCount, type SearchSpace, sizeOf, type UnitPoint } from './search-space.ts'

/** Random points before the first guess. */
const START_TRIALS = 10
/** Of which the best is asked. */
const CANDIDATES = 24
/** A tenth of the trials are the good ones, of at most this number. */
const GOOD_SHARE = 0.1
const MOST_GOOD = 25
/** Random tries for a point that was not tried, once all candidates were. */
const OTHER_TRIES = 100

/**
 * Tree-structured Parzen estimator over all parameters together: of points drawn from the density of the best tenth of the
 * trials, the one with the largest ratio of that density to the density of all others (J. Bergstra et al., "Algorithms for
 * Hyper-Parameter Optimization", NIPS 2011). Trials that are under way count as bad ones (constant liar), so that trials that
 * are asked together spread. Of a space of few points, one that was asked is not asked
 * again while random tries find others.
 */
export function tpeSampler(space: SearchSpace, seed: string): Sampler {
  const levels = space.map(levelCount)
  const isCountable = sizeOf(space) !== undefined
  const shapes = space.map((dimension, index) => ({
    options: dimension.kind === 'choice' ? levels[index] : undefined,
  }))
  const atRandom = randomSampler(space, `${seed}/random`)
  const streamAt = seededRandomAt(`${seed}/tpe`)
  return (number, known) => {
    if (known.finished.length < START_TRIALS) return untried(atRandom, number, known)
    const { good, bad } = split(known)
    const [goods, bads] = [new ParzenEstimator(shapes, good), new ParzenEstimator(shapes, bad)]
    const random = streamAt(number)
    const drawn = Array.from({ length: CANDIDATES }, () => centredPoint(levels, goods.draw(random)))
    const candidates = isCountable ? drawn.filter(point => !isTried(point, known)) : drawn
    return (
      best(candidates, point => goods.densityAt(point) / bads.densityAt(point)) ??
      untried(atRandom, number, known)
    )
  }
}

/** The point with the largest figure, the first of equals; `undefined` where there are none. */
function best(points: readonly UnitPoint[], figure: (point: UnitPoint) => number): UnitPoint | undefined {
  let [found, largest]: [UnitPoint | undefined, number] = [undefined, Number.NEGATIVE_INFINITY]
  for (const point of points) {
    const value = figure(point)
    if (value > largest) [found, largest] = [point, value]
  }
  return found
}

/** A random point that was not tried, or the last of many. */
function untried(atRandom: Sampler, number: number, known: AskedSoFar): UnitPoint | undefined {
  let point = atRandom(number, known)
  for (let other = 1; other < OTHER_TRIES && point !== undefined && isTried(point, known); other++) {
    point = atRandom(number + other * PASSED_OVER, known)
  }
  return point
}

function isTried(point: UnitPoint, { finished, pending }: AskedSoFar): boolean {
  return finished.some(({ unit }) => isSame(unit, point)) || pending.some(unit => isSame(unit, point))
}

/** Numbers of random points that no trial has. */
const PASSED_OVER = 2 ** 32

function isSame(left: UnitPoint, right: UnitPoint): boolean {
  for (let index = 0; index < left.length; index++) {
    if (left[index] !== right[index]) return false
  }
  return true
}

/** The points of the best trials and of all others, each in order of time. */
function split({ finished, pending }: AskedSoFar): { good: UnitPoint[]; bad: UnitPoint[] } {
  const scores = new Float64Array(finished.length)
  finished.forEach(({ score }, index) => {
    scores[index] = score ?? Number.NEGATIVE_INFINITY
  })
  const count = Math.min(MOST_GOOD, Math.ceil(GOOD_SHARE * (finished.length + pending.length)))
  const limit = scores.toSorted().at(-count) ?? Number.NEGATIVE_INFINITY
  // Of equals at the limit, the first ones.
  let left = count - scores.reduce((above, score) => above + (score > limit ? 1 : 0), 0)
  const good: UnitPoint[] = []
  const bad: UnitPoint[] = []
  for (const { unit, score } of finished) {
    const isGood = score !== undefined && (score > limit || (score === limit && left-- > 0))
    if (isGood) good.push(unit)
    else bad.push(unit)
  }
  return { good, bad: [...bad, ...pending] }
}
