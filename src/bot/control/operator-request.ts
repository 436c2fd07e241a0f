import { z } from 'zod'

/** A request of an operator to a running bot. */
export const operatorRequestSchema = z.strictObject({
  command: z.enum(['pause', 'resume', 'reduce', 'flatten', 'halt', 'kill', 'status']),
  /** One instrument; without it the whole account. */
  symbol: z.string().optional(),
  /** Length of a pause in ms of the venue's time. */
  forMs: z.number().int().min(1).optional(),
  /** A sentence for the log and the status. */
  reason: z.string().max(500).optional(),
})

/** A request to a running bot. */
export type OperatorRequest = z.output<typeof operatorRequestSchema>
