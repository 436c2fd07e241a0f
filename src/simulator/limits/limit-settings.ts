import { z } from 'zod'
import { settings, whole } from '../settings.ts'

const flag = z.boolean({ error: 'true or false' })

/** Rate limits of clients (interface sections 7.2 and 8), on the exchange's clock. */
export const limitSettings = settings({
  /** True to refuse excess calls; otherwise none are counted. */
  areEnforced: flag.default(true),
  /** Weight of all calls from one address in any minute. */
  ipWeightPerMinute: whole(1).default(12_000),
  /** Weight of one account's signed calls in any minute. */
  uidWeightPerMinute: whole(1)
    .default(60_000)
    .describe("Weight of one account's signed calls in any minute."),
  /** True if endpoints have limits of their own. */
  perEndpoint: flag.default(true),
  /** Refused calls (429) of an address within a minute before it is banned (418). */
  toleratedRefusals: whole(0).default(10),
  /** The first ban; every further one is twice as long. */
  firstBanMs: whole(1).default(120_000),
  longestBanMs: whole(1).default(259_200_000).describe('The longest ban, ms.'),
}).superRefine(({ firstBanMs, longestBanMs }, context) => {
  if (context.issues.length > 0 || longestBanMs >= firstBanMs) return
  const message = `must be at least as long as firstBanMs, ${firstBanMs}.`
  context.addIssue({ code: 'custom', message, path: ['longestBanMs'], params: { sentence: true } })
})

/** A complete section. */
export type LimitSettings = z.output<typeof limitSettings>
