import { z } from 'zod'
import type { MaintenanceTier } from '../domain/futures-terms.ts'
import type { Rate } from '../domain/numbers/amount.ts'
import { UsageError } from '../domain/sluice-error.ts'
import { amount, rate } from './fields.ts'
import { section } from './section.ts'

/**
 * Maintenance margin of a contract's position as a fraction of its notional: one rate, or rates by notional.
 */
export interface MaintenanceRules {
  readonly maintenanceMarginRate?: Rate | undefined
  /** Instead of one rate. */
  readonly maintenanceTiers?: readonly MaintenanceTier[] | undefined
}

/** The rules of the instruments of a bot, by symbol; `default` applies to contracts without their own. */
export type MaintenanceBySymbol = Readonly<Record<string, MaintenanceRules | undefined>>

const MAINTENANCE_TIERS = 'a list of tiers, such as { upTo: 1000000, rate: "0.005" }'

/** The configuration keys of these rules. */
export const maintenanceFields = {
  maintenanceMarginRate: rate().optional(),
  maintenanceTiers: z
    .array(section({ upTo: amount().optional(), rate: rate() }), { error: MAINTENANCE_TIERS })
    .min(1, { error: MAINTENANCE_TIERS })
    .optional()
    .describe('The maintenance rate by the worth of the position; the last tier has no upTo.'),
}

/**
 * The tiers of the rules; `undefined` if none are given. Throws `UsageError` for rules that contradict
 * themselves.
 */
export function maintenanceTiersOf({
  maintenanceMarginRate,
  maintenanceTiers,
}: MaintenanceRules): readonly MaintenanceTier[] | undefined {
  if (maintenanceMarginRate !== undefined && maintenanceTiers !== undefined)
    throw new UsageError('It has a maintenanceMarginRate and maintenanceTiers; leave one of the two out.')
  if (maintenanceTiers === undefined)
    return maintenanceMarginRate === undefined ? undefined : [{ rate: maintenanceMarginRate }]
  maintenanceTiers.forEach(({ upTo }, index) => {
    const before = maintenanceTiers[index - 1]
    if (before === undefined || (before.upTo !== undefined && (upTo === undefined || upTo > before.upTo)))
      return
    throw new UsageError('Its maintenanceTiers do not ascend by upTo; only the last may leave it out.')
  })
  if (maintenanceTiers.at(-1)?.upTo !== undefined)
    throw new UsageError(
      'The last of its maintenanceTiers must be without upTo, so that it holds for any worth.',
    )
  return maintenanceTiers
}

/** The tiers of one symbol: by its own rules, or by the default ones where it has none. */
export function maintenanceFor(
  symbol: string,
  { [symbol]: own, default: others = {} }: MaintenanceBySymbol,
): readonly MaintenanceTier[] {
  return (own && maintenanceTiersOf(own)) ?? maintenanceTiersOf(others) ?? []
}
