import { expect, it } from 'vitest'
import { normalProbability } from '../../../../src/research/statistics/distributions/normal-distribution.ts'

// scipy.stats.norm.cdf of scipy 1.17.1.
it.each([
  [-8, 6.22096057427174e-16],
  [-5, 2.866515718791933e-7],
  [-1.5, 0.06680720126885807],
  [0, 0.5],
  [0.3, 0.6179114221889526],
  [2, 0.9772498680518208],
  [7.5, 0.9999999999999681],
])('the probability of at most %d agrees with scipy', (x, probability) => {
  expect(Math.abs(normalProbability(x) - probability)).toBeLessThan(1e-15)
})

it('is certain far out', () => {
  expect([normalProbability(-40), normalProbability(40)]).toEqual([0, 1])
})
