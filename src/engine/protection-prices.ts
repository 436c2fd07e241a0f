import type { OrderPlan, Purpose } from '../domain/order-intent.ts'
import type { Direction } from '../domain/side.ts'
import type { PriceOrFraction, Protection } from '../domain/signal.ts'

/** A protective order to attach: why, and how it comes to the market. */
export interface ProtectiveLeg {
  readonly purpose: Extract<Purpose, 'stopLoss' | 'takeProfit' | 'trailingStop'>
  readonly plan: OrderPlan
}

/** The protective orders of a position that was entered at `entryPrice` (quote per base). */
export function protectiveLegs(
  protection: Protection,
  direction: Direction,
  entryPrice: number,
): readonly ProtectiveLeg[] {
  const legs: ProtectiveLeg[] = []
  const stopPrice = stopLossPrice(protection, direction, entryPrice)
  if (stopPrice !== undefined) legs.push({ purpose: 'stopLoss', plan: { type: 'stop', stopPrice } })
  const price = takeProfitPrice(protection, direction, entryPrice)
  if (price !== undefined) legs.push({ purpose: 'takeProfit', plan: { type: 'limit', price } })
  const distance = trailingDistance(protection, entryPrice)
  if (distance !== undefined) {
    legs.push({ purpose: 'trailingStop', plan: { type: 'trailingStop', distance, anchor: entryPrice } })
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

/** Price of the take-profit, if there is one. */
function takeProfitPrice(
  protection: Protection,
  direction: Direction,
  entryPrice: number,
): number | undefined {
  return resolved(protection.takeProfit, entryPrice, direction === 'long' ? 1 : -1)
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
  const target = takeProfitPrice(protection, direction, entryPrice)
  if (target !== undefined && (target - entryPrice) * sign <= 0) {
    return `The take-profit ${target} of a ${direction} entry at ${entryPrice} must be ${sign > 0 ? 'above' : 'below'} it.`
  }
  return undefined
}

function resolved(level: PriceOrFraction | undefined, entryPrice: number, sign: 1 | -1): number | undefined {
  if (level === undefined || typeof level === 'number') return level
  return entryPrice * (1 + sign * level.fraction)
}

function trailingDistance({ trailingStop }: Protection, entryPrice: number): number | undefined {
  if (trailingStop === undefined) return undefined
  return 'distance' in trailingStop ? trailingStop.distance : entryPrice * trailingStop.fraction
}
