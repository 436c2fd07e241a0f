import { z } from 'zod'

/** Answer of a call that gives nothing back: its success envelope; anything else leaves open what became of the call. */
export const acknowledgement = z.object({ code: z.union([z.string(), z.int()]) })
