import { z } from 'zod'
import { timeField } from '../wire/wire-field.ts'

/** Answer of the time endpoint; the wording of `timezone` varies and has no meaning. */
export const serverTimeResponse = z.object({ serverTime: timeField, timezone: z.string().nullish() })
