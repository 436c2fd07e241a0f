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
import { baseAmount, baseFor, roundToSteps, steps, type Ticks, worthOf } from '../domain/numbers/grid.ts'
import type { Direction } from '../domain/orders/side.ts'
import type { PlainSize } from '../domain/signal.ts'
import { isTaken } from './largest-fit.ts'
import type { SizingAccount } from './sizing.ts'

/** What a target is compared with. */
export interface TargetPosition {
  /** The side that the target is on. */
  readonly direction: Direction
  /** Where an order is expected to trade. */
  readonly price: Ticks
  /** Base held on that side once the market orders on their way have traded. */
  readonly held: Amount
  /** Base of these orders, and of what is closed first because it points the other way: their fees come off equity. */
  readonly toTrade: Amount
}

/**
 * Base, in whole steps, by which what is held has to grow (negative: shrink) to be the target; zero where it is close enough.
 *
 * A fraction of equity is that fraction once the order has paid its fee: a quantity q at fee rate t leaves equity E − q·price·t,
 * so that held + q = fraction × (E ÷ price − q·t). What is held already may differ from it by less than a step and by what
 * the fees of other markets take from equity (twice the taker rate of the target), and by less than the exchange takes
 * as an order: a target that is declared again does not trade. Nothing bounds the growth here; see `largestFit`.
 */
export function changeToTarget(size: PlainSize, position: TargetPosition, view: SizingAccount): Amount {
  const { instrument } = view
  const { held, price } = position
  const fraction = 'equityFraction' in size ? rateFromNumber(Math.abs(size.equityFraction)) : (0n as Rate)
  const missing = subtract(wantedBase(size, position, view), held)
  const quantity = divide(absolute(missing), feeDivisor(instrument, position.direction, fraction, missing))
  const change = roundToSteps(instrument, quantity)
  const isHeld = held >= baseAmount(instrument, ONE_STEP)
  if (isHeld && (isClose(quantity, fraction, price, view) || !isTaken(instrument, price, change))) return ZERO
  return missing < 0n ? negate(baseAmount(instrument, change)) : baseAmount(instrument, change)
}

const ONE_STEP = steps(1)

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

/** What a step of an order changes the distance to the target by: itself, the fee that is taken from it, and its fee's part of equity. */
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

/** Whether a change of a target in equity is no more than a step, and what fees elsewhere may have done to equity. */
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
