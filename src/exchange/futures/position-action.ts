import { z } from 'zod'
import type { PositionAction } from './futures-code.ts'

/** Reads what an order did to a position, in either case. */
export const positionActionField = z
  .string()
  .transform(value => value.toUpperCase())
  .pipe(z.enum(['OPEN', 'CLOSE']))
  .transform((value): PositionAction => (value === 'OPEN' ? 'open' : 'close'))
