import { seededRandom } from '../../../src/domain/numbers/seeded-random.ts'
import { DIALECT_NAMES, type DialectName, dialectOf } from '../../../src/simulator/dialects/dialects.ts'
import type { PlanKind, SeedPlan } from './simulation-plan.ts'

/** A dialect for every seed, or one that each seed draws. */
export type DialectChoice = DialectName | 'drawn'

/** Share of the seeds that draw the interface document. */
const DOCUMENTED = 0.4

/** A plan on an exchange that speaks a dialect; `undefined` where such a host has not the accounts of the plan. */
export function inDialect(seed: number, plan: SeedPlan, choice: DialectChoice): SeedPlan | undefined {
  const dialect = choice === 'drawn' ? drawnDialect(seed, plan.kind) : choice
  return hasAccountsOf(plan.kind, dialect) ? { ...plan, exchange: { ...plan.exchange, dialect } } : undefined
}

/** Draws of their own, so that everything else of a plan stays as it is. */
function drawnDialect(seed: number, kind: PlanKind): DialectName {
  const random = seededRandom(seed ^ 0xd1a1).uniform
  const names = DIALECT_NAMES.filter(name => name !== 'document' && hasAccountsOf(kind, name))
  return random() < DOCUMENTED ? 'document' : (names[Math.floor(random() * names.length)] ?? 'document')
}

/**
 * True if the hosts of a dialect have the accounts of a kind of plan. Contracts need klines to be traded by, and the
 * documented names: the invariants compare those of the bot with those of the exchange.
 */
function hasAccountsOf(kind: PlanKind, name: DialectName): boolean {
  const { onlyHost, contractPrefix, emptyFuturesKlines } = dialectOf(name)
  const hasSpot = onlyHost !== 'futures'
  const hasFutures =
    onlyHost !== 'spot' && contractPrefix === undefined && !emptyFuturesKlines?.includes('1min')
  if (kind === 'both') return hasSpot && hasFutures
  return kind === 'futures' ? hasFutures : hasSpot
}
