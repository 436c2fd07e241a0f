import { type Steps, steps } from '../domain/grid.ts'
import type { OrderPlan, Purpose } from '../domain/order-intent.ts'
import type { Direction } from '../domain/side.ts'
import type { PriceOrFraction, Protection, TakeProfit, TakeProfitPart } from '../domain/signal.ts'

/** A protective order to attach: why, and how it comes to the market. */
export interface ProtectiveLeg {
  readonly purpose: Extract<Purpose, 'stopLoss' | 'takeProfit' | 'trailingStop'>
  readonly plan: OrderPlan
  /** The part of the position that it closes; all of it if absent. */
  readonly part?: LegPart | undefined
}

/** Where a part begins and ends, as fractions of a whole, so that the parts of a whole can be rounded without a gap. */
export interface LegPart {
  readonly from: number
  readonly to: number
}

/** The protective orders of a position that was entered at `entryPrice` (quote per base); a trailing stop follows the best price since `anchor`. */
export function protectiveLegs(
  protection: Protection,
  direction: Direction,
  entryPrice: number,
  anchor = entryPrice,
): readonly ProtectiveLeg[] {
  const legs: ProtectiveLeg[] = []
  const stopPrice = stopLossPrice(protection, direction, entryPrice)
  if (stopPrice !== undefined) legs.push({ purpose: 'stopLoss', plan: { type: 'stop', stopPrice } })
  const { takeProfit } = protection
  if (isParted(takeProfit)) legs.push(...partLegs(takeProfit, direction, entryPrice))
  else {
    const price = takeProfitPrice(takeProfit, direction, entryPrice)
    if (price !== undefined) legs.push({ purpose: 'takeProfit', plan: { type: 'limit', price } })
  }
  const distance = trailingDistance(protection, entryPrice)
  if (distance !== undefined) {
    legs.push({ purpose: 'trailingStop', plan: { type: 'trailingStop', distance, anchor } })
  }
  return legs
}

/** Price of the stop-loss, if there is one. */
export function stopLossPrice(
  protection: Protection,
  direction: Direction,
  entryPrice: number,
): number | undefined {
  return resolved(protection.stopLoss, entryPrice, direction === 'long' ? -1 : 1)
}

/** The steps of `whole` that a part is. */
export function stepsOfPart({ from, to }: LegPart, whole: Steps): Steps {
  return steps(stepsUpTo(to, whole) - stepsUpTo(from, whole))
}

/** Whole steps in a fraction of `whole`, but for the noise of floats. */
function stepsUpTo(fraction: number, whole: Steps): number {
  return Math.floor(fraction * whole + NOISE)
}

const NOISE = 1e-9

function isParted(takeProfit: TakeProfit | undefined): takeProfit is readonly TakeProfitPart[] {
  return Array.isArray(takeProfit)
}

function partLegs(
  parts: readonly TakeProfitPart[],
  direction: Direction,
  entryPrice: number,
): readonly ProtectiveLeg[] {
  let from = 0
  return parts.map(({ at, fraction }): ProtectiveLeg => {
    const sum = from + fraction
    const part = { from, to: sum > 1 - NOISE ? 1 : sum }
    from = part.to
    const price = levelOf(at, entryPrice, direction === 'long' ? 1 : -1)
    return { purpose: 'takeProfit', plan: { type: 'limit', price }, part }
  })
}

function takeProfitPrice(
  takeProfit: PriceOrFraction | undefined,
  direction: Direction,
  entryPrice: number,
): number | undefined {
  return resolved(takeProfit, entryPrice, direction === 'long' ? 1 : -1)
}

/** A sentence about a stop-loss or take-profit on the wrong side of the entry, or `undefined`. */
export function protectionProblem(
  protection: Protection,
  direction: Direction,
  entryPrice: number,
): string | undefined {
  const sign = direction === 'long' ? 1 : -1
  const stop = stopLossPrice(protection, direction, entryPrice)
  if (stop !== undefined && (entryPrice - stop) * sign <= 0) {
    return `The stop-loss ${stop} of a ${direction} entry at ${entryPrice} must be ${sign > 0 ? 'below' : 'above'} it.`
  }
  const { takeProfit } = protection
  const target = isParted(takeProfit)
    ? takeProfit
        .map(({ at }) => levelOf(at, entryPrice, sign))
        .find(price => (price - entryPrice) * sign <= 0)
    : takeProfitPrice(takeProfit, direction, entryPrice)
  if (target === undefined || (target - entryPrice) * sign > 0) return undefined
  return `The take-profit ${target} of a ${direction} entry at ${entryPrice} must be ${sign > 0 ? 'above' : 'below'} it.`
}

function resolved(level: PriceOrFraction | undefined, entryPrice: number, sign: 1 | -1): number | undefined {
  return level === undefined ? undefined : levelOf(level, entryPrice, sign)
}

function levelOf(level: PriceOrFraction, entryPrice: number, sign: 1 | -1): number {
  return typeof level === 'number' ? level : entryPrice * (1 + sign * level.fraction)
}

function trailingDistance({ trailingStop }: Protection, entryPrice: number): number | undefined {
  if (trailingStop === undefined) return undefined
  return 'distance' in trailingStop ? trailingStop.distance : entryPrice * trailingStop.fraction
}
