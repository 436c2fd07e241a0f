import { z } from 'zod'

/** Success envelope of a call without content; any other answer leaves the outcome of the call unknown. */
export const acknowledgement = z.object({ code: z.union([z.string(), z.int()]) })
