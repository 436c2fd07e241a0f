import type { CallLimits } from '../../../src/exchange/budget/call-limits.ts'

/** Budgets without bounds: at these rates a minute of calls would fill the memory, which no real client makes. */
export const NO_LIMITS: Partial<CallLimits> = {
  ipWeightPerMinute: Number.POSITIVE_INFINITY,
  uidWeightPerMinute: Number.POSITIVE_INFINITY,
  perEndpoint: false,
}
