import { type Ticks, ticks, wholeTicks } from '../numbers/grid.ts'

/** A stop that follows the best price since `anchor`: at `distance` behind it, or at the fraction `callbackRate` of it. */
export type TrailingStopSpec = {
  readonly type: 'trailingStop'
  readonly anchor: Ticks
  /** Price that the best price must reach to activate the stop; without it, it is active from the start. */
  readonly activationPrice?: Ticks | undefined
} & ({ readonly distance: Ticks } | { readonly callbackRate: number })

/**
 * Stop price of a trailing stop after the best price since its anchor is `best`, in ticks; `undefined` before
 * its activation. A price between two ticks is rounded away from the market, like any stop price.
 */
export function trailingLevel(spec: TrailingStopSpec, isBuy: boolean, best: number): Ticks | undefined {
  if (!isActivated(spec, isBuy, best)) return undefined
  const sign = isBuy ? 1 : -1
  if ('distance' in spec) return ticks(best + sign * spec.distance)
  return wholeTicks(best * (1 + sign * spec.callbackRate), isBuy ? 'up' : 'down')
}

/** The better of two prices for the position that a trailing stop closes: the lower for a buy. */
export function betterPrice(isBuy: boolean, one: number, other: number): number {
  return isBuy ? Math.min(one, other) : Math.max(one, other)
}

function isActivated({ activationPrice }: TrailingStopSpec, isBuy: boolean, best: number): boolean {
  if (activationPrice === undefined) return true
  return isBuy ? best <= activationPrice : best >= activationPrice
}
