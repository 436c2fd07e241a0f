import { seededRandom } from '../../../src/domain/numbers/seeded-random.ts'

/** Makes as many prints as so many symbols have in so many minutes, four a minute each, and nothing else; returns their sum. */
export function barePrints(symbols: number, minutes: number): number {
  const prices = new Float64Array(symbols).fill(60_000)
  const { uniform } = seededRandom(1)
  let sum = 0
  for (let quarter = 0; quarter < 4 * minutes; quarter++) {
    for (let symbol = 0; symbol < symbols; symbol++) {
      const price = (prices[symbol] ?? 0) * Math.exp((2 * uniform() - 1) * 0.0007)
      prices[symbol] = price
      sum += Math.round(price * 100)
    }
  }
  return sum
}
