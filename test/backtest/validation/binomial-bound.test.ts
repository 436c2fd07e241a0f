import { expect, it } from 'vitest'
import {
  lowerBound,
  trialsWithoutHit,
  upperBound,
} from '../../../backtest/validation/warm-up/binomial-bound.ts'

it.each([
  // No hit: 1 - 0.05^(1 / n).
  [0, 598, 0.95, 1 - 0.05 ** (1 / 598)],
  [0, 1, 0.95, 0.95],
  // One hit of two: 1 - share² = 0.05.
  [1, 2, 0.95, Math.sqrt(0.95)],
  // All but one of three: 1 - share³ = 0.05.
  [2, 3, 0.95, Math.cbrt(0.95)],
  [3, 3, 0.95, 1],
  // By the sum of exact binomial terms.
  [7, 100, 0.95, 0.12746],
] as const)('is the upper bound of %d of %d at %d: %d', (hits, trials, confidence, bound) => {
  expect(upperBound(hits, trials, confidence)).toBeCloseTo(bound, 4)
})

it('holds where the chance of no hit at all is no double any more', () => {
  // Near normal: 0.5 + 1.645 × √(0.25 / 100,000).
  expect(upperBound(50_000, 100_000, 0.95)).toBeCloseTo(0.5026, 4)
})

it('says how many trials without a hit bound a share', () => {
  expect(trialsWithoutHit(0.005, 0.95)).toBe(598)
  expect(upperBound(0, 598, 0.95)).toBeLessThanOrEqual(0.005)
  expect(upperBound(0, 597, 0.95)).toBeGreaterThan(0.005)
})

// All of three: the share of which the cube is 0.05.
it('bounds a share from below', () => {
  expect(lowerBound(3, 3, 0.95)).toBeCloseTo(0.05 ** (1 / 3), 9)
  expect(lowerBound(0, 3, 0.95)).toBe(0)
})
