import { type PartRange, partFrom } from '../../domain/numbers/part-range.ts'
import type { OrderPlan, Purpose, TrailingStopPlan } from '../../domain/orders/order-intent.ts'
import type { Direction } from '../../domain/orders/side.ts'
import { levelOf, stopLossPrice } from '../../domain/protection-level.ts'
import type {
  PriceOrFraction,
  Protection,
  TakeProfit,
  TakeProfitPart,
  TrailingStop,
} from '../../domain/signal.ts'

/** A protective order to attach: its purpose and its order type with prices. */
export interface ProtectiveLeg {
  readonly purpose: Extract<Purpose, 'stopLoss' | 'takeProfit' | 'trailingStop'>
  readonly plan: OrderPlan
  /** The part of the position that it closes; all of it if absent. */
  readonly part?: PartRange | undefined
}

/**
 * The protective orders of a position that was entered at `entryPrice` (quote per base); a trailing stop
 * follows the best price from there.
 */
export function protectiveLegs(
  protection: Protection,
  direction: Direction,
  entryPrice: number,
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
  for (const trailingStop of trailingStopsOf(protection))
    legs.push({ purpose: 'trailingStop', plan: trailingPlan(trailingStop, direction, entryPrice) })
  return legs
}

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
    const part = partFrom(from, fraction)
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

/**
 * A sentence about a stop-loss, take-profit or activation of a trailing stop on the wrong side of the entry,
 * or `undefined`.
 */
export function protectionPriceProblem(
  protection: Protection,
  direction: Direction,
  entryPrice: number,
): string | undefined {
  const { stopLoss, trailingStop } = protection
  if (stopLoss === undefined && protection.takeProfit === undefined && trailingStop === undefined)
    return undefined
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
  const side = sign > 0 ? 'above' : 'below'
  if (target !== undefined && (target - entryPrice) * sign <= 0)
    return `The take-profit ${target} of a ${direction} entry at ${entryPrice} must be ${side} it.`
  const activation = trailingStopsOf(protection)
    .map(trailingStop => resolved(trailingStop.activation, entryPrice, sign))
    .find(price => price !== undefined && (price - entryPrice) * sign <= 0)
  if (activation === undefined) return undefined
  return `The activation ${activation} of the trailing stop of a ${direction} entry at ${entryPrice} must be ${side} it.`
}

function resolved(level: PriceOrFraction | undefined, entryPrice: number, sign: 1 | -1): number | undefined {
  return level === undefined ? undefined : levelOf(level, entryPrice, sign)
}

function trailingStopsOf({ trailingStop }: Protection): readonly TrailingStop[] {
  if (trailingStop === undefined) return NO_TRAILING_STOPS
  return isSeveral(trailingStop) ? trailingStop : [trailingStop]
}

const NO_TRAILING_STOPS: readonly TrailingStop[] = []

function isSeveral(
  trailingStop: NonNullable<Protection['trailingStop']>,
): trailingStop is readonly TrailingStop[] {
  return Array.isArray(trailingStop)
}

function trailingPlan(
  trailingStop: TrailingStop,
  direction: Direction,
  entryPrice: number,
): TrailingStopPlan {
  const activationPrice = resolved(trailingStop.activation, entryPrice, direction === 'long' ? 1 : -1)
  const fields = {
    type: 'trailingStop',
    anchor: entryPrice,
    ...(activationPrice !== undefined && { activationPrice }),
  } as const
  if ('callbackRate' in trailingStop) return { ...fields, callbackRate: trailingStop.callbackRate }
  const distance = 'distance' in trailingStop ? trailingStop.distance : entryPrice * trailingStop.fraction
  return { ...fields, distance }
}
