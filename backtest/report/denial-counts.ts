import type { Denial, DenialRule } from '../../src/domain/denial.ts'

/** How often one rule said no, and what it said first. */
export interface DenialCount {
  readonly count: number
  readonly first: string
}

/** Denials by rule, in order of their first appearance. */
export function denialCounts(denials: readonly Denial[]): ReadonlyMap<DenialRule, DenialCount> {
  const counts = new Map<DenialRule, DenialCount>()
  for (const { rule, message } of denials) {
    const { count, first } = counts.get(rule) ?? { count: 0, first: message }
    counts.set(rule, { count: count + 1, first })
  }
  return counts
}
