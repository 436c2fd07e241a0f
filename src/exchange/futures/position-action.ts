import { z } from 'zod'
import type { PositionAction } from './futures-code.ts'

/** Effect of an order on a position, in upper or lower case. */
export const positionActionField = z
  .string()
  .transform(value => value.toUpperCase())
  .pipe(z.enum(['OPEN', 'CLOSE']))
  .transform((value): PositionAction => (value === 'OPEN' ? 'open' : 'close'))
