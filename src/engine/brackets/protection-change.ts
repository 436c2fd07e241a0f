import type { TrailingStopPlan } from '../../domain/orders/order-intent.ts'
import type { Protection, ProtectSignal } from '../../domain/signal.ts'
import type { ProtectiveLeg } from './protection-prices.ts'
import type { ProtectiveOrder } from './protective-order.ts'

/** The kinds of protection, each named as the signal names it. */
export const PROTECTIVE_PURPOSES = ['stopLoss', 'takeProfit', 'trailingStop'] as const

/** A protection in which one kind is as a signal wants it. */
export function changedProtection(
  protection: Protection,
  signal: ProtectSignal,
  purpose: ProtectiveLeg['purpose'],
): Protection {
  const { [purpose]: _old, ...others } = protection
  const level = signal[purpose]
  return level === undefined || level === 'none' ? others : { ...others, [purpose]: level }
}

/** Whether legs already are what is wanted, so that nothing is to be replaced. A trailing stop that keeps its distance keeps the best price it has seen. */
export function samePlans(old: readonly ProtectiveOrder[], wanted: readonly ProtectiveOrder[]): boolean {
  return (
    old.length === wanted.length &&
    old.every(({ leg }, index) => {
      const other = wanted[index]?.leg
      return other !== undefined && isSameLevel(leg, other)
    })
  )
}

function isSameLevel(
  { plan, part }: ProtectiveLeg,
  { plan: other, part: otherPart }: ProtectiveLeg,
): boolean {
  if (part?.from !== otherPart?.from || part?.to !== otherPart?.to) return false
  if (plan.type === 'stop' && other.type === 'stop') return plan.stopPrice === other.stopPrice
  if (plan.type === 'limit' && other.type === 'limit') return plan.price === other.price
  return plan.type === 'trailingStop' && other.type === 'trailingStop' && trailsAlike(plan, other)
}

function trailsAlike(plan: TrailingStopPlan, other: TrailingStopPlan): boolean {
  if (plan.activationPrice !== other.activationPrice) return false
  if ('distance' in plan) return 'distance' in other && plan.distance === other.distance
  return 'callbackRate' in other && plan.callbackRate === other.callbackRate
}
