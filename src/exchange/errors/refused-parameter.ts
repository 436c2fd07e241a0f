import type { z } from 'zod'

/**
 * What rules over several parameters find wrong, as zod's `check` collects it. Its `superRefine` would make a function for
 * every request, and V8 lets those outlive it: they cost an order more than all its checks.
 */
export type Refusals = z.core.$ZodRawIssue[]

/** Refuses a request for one of its parameters. */
export function refuseParameter(refusals: Refusals, parameter: string, rule: string): void {
  refusals.push({ code: 'custom', path: [parameter], message: rule, input: undefined })
}
