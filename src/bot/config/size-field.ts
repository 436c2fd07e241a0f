import { z } from 'zod'
import type { Size } from '../../domain/signal.ts'
import { numberAbove } from './fields.ts'
import { section } from './section.ts'

const KEYS = 'quote, base, equityFraction or riskFraction'

/** The size of an order: exactly one of `quote`, `base`, `equityFraction` and `riskFraction`. */
export const sizeField = section({
  quote: numberAbove(0).optional().describe('Money, in quote.'),
  base: numberAbove(0).optional().describe('Units of base.'),
  equityFraction: numberAbove(0).optional().describe('A fraction of all that the account is worth.'),
  riskFraction: numberAbove(0)
    .lt(1, { error: 'a fraction above 0 and below 1' })
    .optional()
    .describe('The fraction of that worth lost if the stop-loss is hit; needs a stop-loss.'),
})
  .meta({ minProperties: 1, maxProperties: 1 })
  .describe('Size of orders that do not say their own: exactly one key.')
  .transform((keys, context): Size => {
    const given = Object.entries(keys).filter(([, value]) => value !== undefined)
    if (given.length === 1) return Object.fromEntries(given) as Size // exactly one of the keys of Size
    const message = `has ${given.length} of the keys ${KEYS}, but must have exactly one.`
    context.addIssue({ code: 'custom', message, params: { sentence: true } })
    return z.NEVER
  })
