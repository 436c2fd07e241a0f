import { z } from 'zod'
import { suggestion } from '../../domain/nearest-name.ts'
import { settings } from '../settings.ts'
import { lowerTriangleOf } from './correlation.ts'
import { type MarketDrivers, ownDrivers } from './market-drivers.ts'

const FACTOR = 'a number from 0 to 1, or a section with symbols and a matrix'
const MATRIX = 'a list of rows of numbers from -1 to 1'

const matrix = settings({
  /** Of generated markets, in the order of the rows. */
  symbols: z
    .array(z.string({ error: 'a symbol' }), { error: 'a list of symbols' })
    .describe('Generated markets, in the order of the rows.'),
  /** Correlation of the minute returns of each with each. */
  matrix: z
    .array(z.array(z.number({ error: MATRIX }).min(-1, { error: MATRIX }).max(1, { error: MATRIX })), {
      error: MATRIX,
    })
    .describe('Correlation of the minute returns of each with each.'),
}).superRefine(({ symbols, matrix }, context) => {
  const problem = problemOf(symbols, matrix)
  if (problem !== undefined)
    context.addIssue({ code: 'custom', message: problem, path: ['matrix'], params: { sentence: true } })
})

/** The schema of how generated markets move together: one number for every two of them, or a matrix. */
export const correlationSettings = z.union(
  [z.number({ error: FACTOR }).min(0, { error: FACTOR }).max(1, { error: FACTOR }), matrix],
  { error: FACTOR },
)

/** Correlation of generated markets. */
export type CorrelationSettings = z.output<typeof correlationSettings>

/**
 * Problem with the symbols of a matrix, as the rest of a sentence: all of them must be generated listings.
 */
export function unknownSymbolIn(
  correlation: CorrelationSettings | undefined,
  generated: readonly string[],
): string | undefined {
  if (correlation === undefined || typeof correlation === 'number') return undefined
  const unknown = correlation.symbols.find(symbol => !generated.includes(symbol))
  if (unknown === undefined) return undefined
  return `have ${unknown}, which is no listing with a generated market.${suggestion(unknown, generated)}`
}

function problemOf(symbols: readonly string[], rows: readonly (readonly number[])[]): string | undefined {
  const size = symbols.length
  if (new Set(symbols).size !== size) return 'must be of symbols that are all different.'
  if (rows.length !== size || rows.some(row => row.length !== size)) {
    return `must have ${size} rows of ${size} numbers, as many as symbols.`
  }
  const isSymmetric = rows.every((row, i) => row.every((value, j) => value === rows[j]?.[i]))
  if (!isSymmetric || rows.some((row, i) => row[i] !== 1)) {
    return 'must be symmetric, with 1 on its diagonal.'
  }
  if (lowerTriangleOf(rows) !== undefined) return undefined
  return 'contradicts itself: no markets can be correlated like that (it is not positive semidefinite).'
}

/**
 * Random drivers of a symbol's generated market. Correlated markets share their volatility (times of high and
 * low activity), so that their returns have exactly the given correlation; an uncorrelated market depends on
 * its own name alone.
 */
export function driversOf(
  symbol: string,
  seed: number,
  correlation: CorrelationSettings | undefined,
): MarketDrivers {
  const own = `${seed}/${symbol}`
  const regime = `${seed}/common`
  if (correlation === undefined || correlation === 0) return ownDrivers(own)
  if (typeof correlation === 'number') {
    const shocks = [
      { seed: regime, weight: Math.sqrt(correlation) },
      { seed: own, weight: Math.sqrt(1 - correlation) },
    ]
    return { own, regime, shocks }
  }
  const row = lowerTriangleOf(correlation.matrix)?.[correlation.symbols.indexOf(symbol)]
  if (row === undefined) return ownDrivers(own)
  const shocks = row.map((weight, index) => ({ seed: `${seed}/${correlation.symbols[index]}`, weight }))
  return { own, regime, shocks: shocks.filter(({ weight }) => weight !== 0) }
}
