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

/** The checks that the limits of an account or of a strategy ask for, the cheap ones first. */
export function configuredChecks(
  limits: RiskLimits,
  times: OrderTimes | undefined,
  of: 'account' | 'strategy',
): readonly RiskCheck[] {
  const { priceBandRate, maxOrders: rate, maxWorkingOrders: working, selfCrossingRate } = limits
  return [
    ...(priceBandRate === undefined ? [] : [priceBand(priceBandRate)]),
    ...(limits.maxNotional === undefined ? [] : [maxNotional(limits.maxNotional)]),
    ...(rate === undefined || times === undefined ? [] : [maxOrders(rate, times)]),
    ...(working === undefined ? [] : [maxWorkingOrders(working, of)]),
    ...(selfCrossingRate === undefined ? [] : [noSelfCrossing(selfCrossingRate)]),
    ...(limits.maxPosition === undefined ? [] : [maxPosition(limits.maxPosition, of)]),
    ...(limits.maxExposure === undefined ? [] : [maxExposure(limits.maxExposure)]),
  ]
}
