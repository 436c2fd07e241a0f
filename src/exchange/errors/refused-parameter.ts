import type { z } from 'zod'

/**
 * Violations of rules over several parameters, as zod's `check` collects them. zod's `superRefine` would
 * create a function for every request that V8 keeps alive: it costs an order more than all its checks.
 */
export type Refusals = z.core.$ZodRawIssue[]

/** Refuses a request for one of its parameters. */
export function refuseParameter(refusals: Refusals, parameter: string, rule: string): void {
  refusals.push({ code: 'custom', path: [parameter], message: rule, input: undefined })
}
