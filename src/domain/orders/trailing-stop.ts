import { type Ticks, ticks, wholeTicks } from '../numbers/grid.ts'

/** A stop that follows the best price since `anchor`: at `distance` behind it, or at the fraction `callbackRate` of it. */
export type TrailingStopSpec = {
  readonly type: 'trailingStop'
  readonly anchor: Ticks
  /** The stop does not exist before the best price is at or beyond this one; from the start where absent. */
  readonly activationPrice?: Ticks | undefined
} & ({ readonly distance: Ticks } | { readonly callbackRate: number })

/**
 * Where a trailing stop stands once the best price since its anchor is `best`, in ticks; `undefined` before its activation.
 * A level between two ticks is put on the farther one, as the price of any stop is.
 */
export function trailingLevel(spec: TrailingStopSpec, isBuy: boolean, best: number): Ticks | undefined {
  if (!isActivated(spec, isBuy, best)) return undefined
  const sign = isBuy ? 1 : -1
  if ('distance' in spec) return ticks(best + sign * spec.distance)
  return wholeTicks(best * (1 + sign * spec.callbackRate), isBuy ? 'up' : 'down')
}

/** The better one of two prices for the position that a trailing stop closes: the lower for a buy. */
export function betterPrice(isBuy: boolean, one: number, other: number): number {
  return isBuy ? Math.min(one, other) : Math.max(one, other)
}

function isActivated({ activationPrice }: TrailingStopSpec, isBuy: boolean, best: number): boolean {
  if (activationPrice === undefined) return true
  return isBuy ? best <= activationPrice : best >= activationPrice
}
