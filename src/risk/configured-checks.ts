import { maxExposure } from './checks/max-exposure.ts'
import { maxNotional } from './checks/max-notional.ts'
import { maxOrders } from './checks/max-orders.ts'
import { maxPosition } from './checks/max-position.ts'
import { maxWorkingOrders } from './checks/max-working-orders.ts'
import { noSelfCrossing } from './checks/no-self-crossing.ts'
import { priceBand } from './checks/price-band.ts'
import type { OrderTimes } from './order-times.ts'
import type { RiskCheck } from './risk-check.ts'
import type { RiskLimits } from './risk-rules.ts'

/** The checks of an account's or a strategy's limits, the cheap ones first. */
export function configuredChecks(
  limits: RiskLimits,
  times: OrderTimes | undefined,
  of: 'account' | 'strategy',
): readonly RiskCheck[] {
  const { priceBandRate, maxOrders: rate, maxWorkingOrders: working, selfCrossingRate } = limits
  const { maxNotional: notional, maxPosition: position, maxExposure: exposure } = limits
  const checks: Readonly<Partial<Record<keyof RiskLimits, RiskCheck | undefined>>> = {
    priceBandRate: priceBandRate === undefined ? undefined : priceBand(priceBandRate),
    maxNotional: notional === undefined ? undefined : maxNotional(notional),
    maxOrders: rate === undefined || times === undefined ? undefined : maxOrders(rate, times),
    maxWorkingOrders: working === undefined ? undefined : maxWorkingOrders(working, of),
    selfCrossingRate: selfCrossingRate === undefined ? undefined : noSelfCrossing(selfCrossingRate),
    maxPosition: position === undefined ? undefined : maxPosition(position, of),
    maxExposure: exposure === undefined ? undefined : maxExposure(exposure),
  }
  const section = of === 'strategy' ? 'strategies[].risk.limits' : 'risk.limits'
  return Object.entries(checks).flatMap(([key, check]) =>
    check === undefined ? [] : [named(check, `${section}.${key}`)],
  )
}

/** The same check; its figures and refusals name the key of the configuration that they follow. */
function named(check: RiskCheck, key: string): RiskCheck {
  return (draft, view, passed) => {
    const refusal = check(draft, view, passed && (figures => passed({ ...figures, key })))
    return refusal && { ...refusal, message: refusal.message.replace(/\.$/, ` (${key}).`) }
  }
}
