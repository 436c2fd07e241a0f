import { z } from 'zod'
import type { Size } from '../../domain/signal.ts'
import { numberAbove } from './fields.ts'
import { section } from './section.ts'

const KEYS = 'quote, base, equityFraction or riskFraction'

/** The size of an order: exactly one of `quote`, `base`, `equityFraction` and `riskFraction`. */
export const sizeField = section({
  quote: numberAbove(0).optional(),
  base: numberAbove(0).optional(),
  equityFraction: numberAbove(0).optional(),
  riskFraction: numberAbove(0).lt(1, { error: 'a fraction above 0 and below 1' }).optional(),
}).transform((keys, context): Size => {
  const given = Object.entries(keys).filter(([, value]) => value !== undefined)
  if (given.length === 1) return Object.fromEntries(given) as Size // exactly one of the keys of Size
  const message = `has ${given.length} of the keys ${KEYS}, but must have exactly one.`
  context.addIssue({ code: 'custom', message, params: { sentence: true } })
  return z.NEVER
})
