import { z } from 'zod'
import type { Size } from '../domain/signal.ts'
import { numberAbove } from './fields.ts'
import { section } from './section.ts'

const KEYS = 'quote, base, equityFraction or riskFraction'

/** The size of an order: exactly one of `quote`, `base`, `equityFraction` and `riskFraction`, the last of which may have a cap. */
export const sizeField = section(
  {
    quote: numberAbove(0).optional().describe('Money, in quote.'),
    base: numberAbove(0).optional().describe('Units of base.'),
    equityFraction: numberAbove(0).optional().describe('A fraction of all that the account is worth.'),
    riskFraction: numberAbove(0)
      .lt(1, { error: 'a fraction above 0 and below 1' })
      .optional()
      .describe('The fraction of that worth lost if the stop-loss is hit; needs a stop-loss.'),
    maxEquityFraction: numberAbove(0)
      .optional()
      .describe(
        'With riskFraction: the largest fraction of that worth to trade for, however near the stop-loss is.',
      ),
  },
  {},
  `a section with exactly one of ${KEYS}, such as { equityFraction: 0.1 }`,
)
  .meta({ keySets: [['quote'], ['base'], ['equityFraction'], ['riskFraction', 'maxEquityFraction']] })
  .describe(
    'Size of orders that do not say their own: exactly one key, and of riskFraction also maxEquityFraction.',
  )
  .transform((keys, context): Size => {
    const { maxEquityFraction: cap, ...sizes } = keys
    const given = Object.entries(sizes).filter(([, value]) => value !== undefined)
    const problem = problemOf(
      given.map(([name]) => name),
      cap,
    )
    // Exactly one of the keys of Size, and the cap where that may have one.
    if (problem === undefined)
      return { ...Object.fromEntries(given), ...(cap !== undefined && { maxEquityFraction: cap }) } as Size
    context.addIssue({ code: 'custom', message: problem, params: { sentence: true } })
    return z.NEVER
  })

function problemOf(names: readonly string[], cap: number | undefined): string | undefined {
  if (names.length !== 1) return `has ${names.length} of the keys ${KEYS}, but must have exactly one.`
  if (cap === undefined || names[0] === 'riskFraction') return undefined
  return `has the keys ${names[0]} and maxEquityFraction, but maxEquityFraction only caps a riskFraction.`
}
