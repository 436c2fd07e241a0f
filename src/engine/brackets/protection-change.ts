import type { Instrument } from '../../domain/instrument.ts'
import type { OrderSpec } from '../../domain/orders/order-request.ts'
import type { Side } from '../../domain/orders/side.ts'
import type { TrailingStopSpec } from '../../domain/orders/trailing-stop.ts'
import type { Protection, ProtectSignal } from '../../domain/signal.ts'
import { InvariantError } from '../../domain/sluice-error.ts'
import { orderSpec } from '../../risk/to-grid.ts'
import type { ProtectiveLeg } from './protection-prices.ts'
import type { ProtectiveOrder } from './protective-order.ts'

/** The kinds of protection, each named as the signal names it. */
export const PROTECTIVE_PURPOSES = ['stopLoss', 'takeProfit', 'trailingStop'] as const

/** A protection with one kind replaced by that of a signal. */
export function changedProtection(
  protection: Protection,
  signal: ProtectSignal,
  purpose: ProtectiveLeg['purpose'],
): Protection {
  const { [purpose]: _old, ...others } = protection
  const level = signal[purpose]
  return level === undefined || level === 'none' ? others : { ...others, [purpose]: level }
}

/**
 * True if orders of a side for these legs are already as wanted on the instrument's grid, so that none is
 * replaced. A trailing stop with the same distance keeps its best price.
 */
export function samePlans(
  instrument: Instrument,
  side: Side,
  old: readonly ProtectiveOrder[],
  wanted: readonly ProtectiveOrder[],
): boolean {
  const specOf = (leg: ProtectiveLeg) => specOnGrid(instrument, side, leg)
  return (
    old.length === wanted.length &&
    old.every(({ leg }, index) => {
      const other = wanted[index]?.leg
      return other !== undefined && isSamePart(leg, other) && isSameLevel(specOf(leg), specOf(other))
    })
  )
}

/** `undefined` for a price beyond the grid's range, which risk denies. */
function specOnGrid(instrument: Instrument, side: Side, { plan }: ProtectiveLeg): OrderSpec | undefined {
  try {
    return orderSpec(instrument, side, plan)
  } catch (error) {
    if (error instanceof InvariantError) return undefined
    throw error
  }
}

function isSamePart({ part }: ProtectiveLeg, { part: other }: ProtectiveLeg): boolean {
  return part?.from === other?.from && part?.to === other?.to
}

function isSameLevel(spec: OrderSpec | undefined, other: OrderSpec | undefined): boolean {
  if (spec === undefined || other === undefined) return false
  if (spec.type === 'stop' && other.type === 'stop') return spec.stopPrice === other.stopPrice
  if (spec.type === 'limit' && other.type === 'limit') return spec.price === other.price
  return spec.type === 'trailingStop' && other.type === 'trailingStop' && trailsAlike(spec, other)
}

function trailsAlike(spec: TrailingStopSpec, other: TrailingStopSpec): boolean {
  if (spec.activationPrice !== other.activationPrice) return false
  if ('distance' in spec) return 'distance' in other && spec.distance === other.distance
  return 'callbackRate' in other && spec.callbackRate === other.callbackRate
}
