import { z } from 'zod'
import { integerIfGiven } from '../wire/wire-field.ts'

/** Answer of the time endpoint, ms UTC; some hosts name it `server_time`. */
export const serverTimeResponse = z
  .object({ serverTime: integerIfGiven(0), server_time: integerIfGiven(0) })
  .transform((wire, context) => {
    const serverTime = wire.serverTime ?? wire.server_time
    if (serverTime !== undefined) return { serverTime }
    context.addIssue({ code: 'custom', path: ['serverTime'], message: 'is required' })
    return z.NEVER
  })
