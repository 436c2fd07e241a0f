import type { Instrument } from '../domain/instrument.ts'
import {
  type Amount,
  absolute,
  add,
  amountFromNumber,
  divide,
  negate,
  ONE_RATE,
  type Rate,
  rateFromNumber,
  subtract,
  times,
  ZERO,
} from '../domain/numbers/amount.ts'
import {
  baseAmount,
  baseFor,
  roundToSteps,
  type Steps,
  steps,
  type Ticks,
  worthOf,
} from '../domain/numbers/grid.ts'
import type { Direction } from '../domain/orders/side.ts'
import type { PlainSize } from '../domain/signal.ts'
import { isTaken } from './largest-fit.ts'
import type { SizingAccount } from './sizing.ts'

/** Input of the comparison with a target. */
export interface TargetPosition {
  /** The side that the target is on. */
  readonly direction: Direction
  /** Expected price of the order. */
  readonly price: Ticks
  /** Base of that side after the fills of pending market orders. */
  readonly held: Amount
  /** Base of these orders, and of a prior close of the opposite position: their fees reduce equity. */
  readonly toTrade: Amount
}

/** Way from a position to its target. */
export interface TargetChange {
  /** Base, in whole steps, to add to the position (negative: remove); zero if that is close enough or too small. */
  readonly change: Amount
  /** Steps by which the position misses the target because an order for them would be too small; only if they are worth much. */
  readonly missed?: Steps
  /** Base by which the position still misses the target after the change because a step is too coarse; only if it is worth much. */
  readonly coarse?: Amount
}

/**
 * The change of the position to reach the target.
 *
 * A fraction of equity is that fraction after the order's fee: a quantity q at fee rate t leaves equity E −
 * q·price·t, so that held + q = fraction × (E ÷ price − q·t). A position may differ from it by less than a
 * step plus the effect of other markets' fees on equity (twice the taker rate of the target), and by less
 * than the exchange's smallest order: repeating a target does not trade. Growth is unbounded here; see
 * `largestFit`.
 */
export function changeToTarget(size: PlainSize, position: TargetPosition, view: SizingAccount): TargetChange {
  const { instrument } = view
  const { held, price } = position
  const fraction = 'equityFraction' in size ? rateFromNumber(Math.abs(size.equityFraction)) : (0n as Rate)
  const missing = subtract(wantedBase(size, position, view), held)
  const quantity = divide(absolute(missing), feeDivisor(instrument, position.direction, fraction, missing))
  const change = roundToSteps(instrument, quantity)
  const isHeld = held >= baseAmount(instrument, ONE_STEP)
  if (isHeld && isClose(quantity, fraction, price, view)) return unchanged(quantity, price, view)
  if (change === 0) return unchanged(quantity, price, view)
  const base = baseAmount(instrument, change)
  const signed = missing < 0n ? negate(base) : base
  if (isTaken(instrument, price, change))
    return { change: signed, ...coarsePart(subtract(quantity, base), price, view) }
  if (!isHeld) return { change: signed }
  return isMuch(quantity, price, view) ? { ...UNCHANGED, missed: change } : UNCHANGED
}

/** No order, with the base that is missing if a step is too coarse for it. */
function unchanged(missing: Amount, price: Ticks, view: SizingAccount): TargetChange {
  return { ...UNCHANGED, ...coarsePart(missing, price, view) }
}

/** Missing base that is worth much, although it is about a step: fees of a high leverage may be many steps. */
function coarsePart(missing: Amount, price: Ticks, view: SizingAccount): Pick<TargetChange, 'coarse'> {
  const isOfSteps = missing > 0n && missing < baseAmount(view.instrument, TWO_STEPS)
  return isOfSteps && view.equity > 0n && isMuch(missing, price, view) ? { coarse: missing } : {}
}

const UNCHANGED: TargetChange = { change: ZERO }

/** The twentieth of equity up to which a target is missed without a word. */
const LITTLE = 20n

/** True if base is worth so much of equity that a target must not be missed by it without a word. */
export function isMuch(base: Amount, price: Ticks, { instrument, equity }: SizingAccount): boolean {
  return worthOf(instrument, price, base) * LITTLE > equity
}

const ONE_STEP = steps(1)
const TWO_STEPS = steps(2)

/** Base of the target before the fee of its own order. */
function wantedBase(size: PlainSize, { price, toTrade }: TargetPosition, view: SizingAccount): Amount {
  const { instrument } = view
  if ('base' in size) return amountFromNumber(Math.abs(size.base))
  if ('quote' in size) return baseFor(instrument, amountFromNumber(Math.abs(size.quote)), price)
  const pending = times(worthOf(instrument, price, toTrade), instrument.fees.taker)
  const equity = subtract(view.equity, pending)
  if (equity <= 0n) return ZERO
  return baseFor(instrument, times(equity, rateFromNumber(Math.abs(size.equityFraction))), price)
}

/**
 * Change of the distance to the target per step of an order: the step, the fee taken from it, and its fee's
 * part of equity.
 */
function feeDivisor(
  { fees: { taker, paidIn } }: Instrument,
  direction: Direction,
  fraction: Rate,
  missing: Amount,
): Amount {
  const share = times(taker as bigint as Amount, fraction)
  const one = ONE_RATE as bigint as Amount
  if (missing < 0n) return positive(subtract(one, share))
  const isTaken = paidIn === 'received' && direction === 'long'
  return positive(add(isTaken ? subtract(one, taker as bigint as Amount) : one, share))
}

/** A divisor that no leverage turns around. */
function positive(divisor: Amount): Amount {
  return divisor > 0n ? divisor : (ONE_RATE as bigint as Amount)
}

/** True if a change of a target in equity is within one step plus the effect of fees elsewhere on equity. */
function isClose(
  quantity: Amount,
  fraction: Rate,
  price: Ticks,
  { instrument, equity }: SizingAccount,
): boolean {
  if (fraction === 0n || equity <= 0n) return false
  const fees = times(times(baseFor(instrument, equity, price), fraction), instrument.fees.taker)
  return quantity < add(baseAmount(instrument, ONE_STEP), add(fees, fees))
}
