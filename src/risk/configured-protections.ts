import { clockUncertainty } from './protections/clock-uncertainty.ts'
import { cooldownAfterStop } from './protections/cooldown-after-stop.ts'
import { dailyLoss } from './protections/daily-loss.ts'
import { drawdown } from './protections/drawdown.ts'
import { lossesInARow } from './protections/losses-in-a-row.ts'
import type { RiskProtection } from './protections/protection.ts'
import { spreadTooWide } from './protections/spread-too-wide.ts'
import { staleData } from './protections/stale-data.ts'
import type { ProtectionRules } from './risk-rules.ts'

/** The protections of the rules, in their initial state. */
export function configuredProtections(
  rules: ProtectionRules,
  owner: 'account' | 'strategy',
): readonly RiskProtection[] {
  return [
    ...(rules.dailyLoss === undefined ? [] : [dailyLoss(rules.dailyLoss, owner)]),
    ...(rules.drawdown === undefined ? [] : [drawdown(rules.drawdown, owner)]),
    ...(rules.lossesInARow === undefined ? [] : [lossesInARow(rules.lossesInARow)]),
    ...(rules.cooldownAfterStop === undefined ? [] : [cooldownAfterStop(rules.cooldownAfterStop)]),
    ...(rules.staleData === undefined ? [] : [staleData(rules.staleData)]),
    ...(rules.clockUncertainty === undefined ? [] : [clockUncertainty(rules.clockUncertainty)]),
    ...(rules.spread === undefined ? [] : [spreadTooWide(rules.spread)]),
  ]
}
