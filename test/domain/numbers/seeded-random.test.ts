import { describe, expect, it } from 'vitest'
import { seededRandom, seededRandomAt } from '../../../src/domain/numbers/seeded-random.ts'

const DRAWS = 10_000
/** Chi-square of nine degrees of freedom that evenly spread numbers exceed once in a thousand times. */
const MOST_UNEVEN = 27.88

/** Chi-square of numbers from 0 to 1 over ten equal bins. */
function unevenness(numbers: readonly number[]): number {
  const counts = new Array<number>(10).fill(0)
  for (const number of numbers) {
    const bin = Math.floor(number * 10)
    counts[bin] = (counts[bin] ?? Number.NaN) + 1
  }
  const expected = numbers.length / 10
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}

const draws = (uniform: () => number, count: number) => Array.from({ length: count }, uniform)

describe('numbers that a seed determines', () => {
  it('are the same for the same seed, as a number or as text, and others for another one', () => {
    const five = draws(seededRandom(7).uniform, 5)
    expect(draws(seededRandom(7).uniform, 5)).toEqual(five)
    expect(draws(seededRandom('7').uniform, 5)).toEqual(five)
    expect(draws(seededRandom(8).uniform, 5)).not.toEqual(five)
    expect(new Set(five).size).toBe(5)
  })

  it.each<[string, number[]]>([
    ['of one seed', draws(seededRandom(1).uniform, DRAWS)],
    ['first of seed after seed', Array.from({ length: DRAWS }, (_, seed) => seededRandom(seed).uniform())],
    [
      'first of place after place',
      Array.from({ length: DRAWS }, (_, at) => seededRandomAt('a')(at).uniform()),
    ],
  ])('lie evenly between 0 and 1: %s', (_name, numbers) => {
    expect(unevenness(numbers)).toBeLessThan(MOST_UNEVEN)
    expect(Math.min(...numbers)).toBeGreaterThan(0)
    expect(Math.max(...numbers)).toBeLessThan(1)
  })

  it('have a normal distribution of mean 0 and variance 1', () => {
    const numbers = draws(seededRandom(1).normal, DRAWS)
    const mean = numbers.reduce((sum, number) => sum + number, 0) / DRAWS
    const variance = numbers.reduce((sum, number) => sum + number ** 2, 0) / DRAWS
    // Four standard errors: 1 / √10,000 of the mean, √(2 / 10,000) of the variance.
    expect(Math.abs(mean)).toBeLessThan(0.04)
    expect(Math.abs(variance - 1)).toBeLessThan(0.057)
  })
})
