import { InvariantError, UsageError } from '../sluice-error.ts'
import { AMOUNT_DECIMALS, type Amount, amountToNumber, amountToText, type Rate, subtract } from './amount.ts'
import type { Brand } from './brand.ts'
import { type Decimal, decimalOf } from './decimal.ts'

/** A price as a whole number of ticks of its instrument. */
export type Ticks = Brand<number, 'Ticks'>

/** A quantity as a whole number of steps of its instrument. */
export type Steps = Brand<number, 'Steps'>

/** The two precisions of a grid; an `Instrument` is one. */
export interface Grid {
  readonly pricePrecision: number
  readonly quantityPrecision: number
  /** Base of one contract, if quantities are contracts: a step is then one contract. */
  readonly contractSize?: Amount | undefined
}

/** Rounding of a value between two grid points. */
export type Rounding = 'down' | 'up' | 'nearest'

/** Largest quantity of an instrument that states none. */
export const UNLIMITED_QUANTITY = Number.MAX_SAFE_INTEGER as Steps

/** A quantity has more steps than a double counts exactly: its grid is too fine for it. */
export class UncountableQuantityError extends InvariantError {
  /** The most base that the grid counts, and the base in question. */
  readonly limit: string
  readonly actual: string

  constructor(grid: Grid, base: Amount) {
    const limit = amountToText(baseAmount(grid, UNLIMITED_QUANTITY))
    const actual = amountToText(base)
    const advice =
      grid.contractSize === undefined
        ? 'make the size smaller, or give the instrument fewer decimals of a quantity (quantityPrecision in the configuration of a backtest)'
        : 'make the size smaller'
    super(
      `A quantity of ${actual} is more than ${limit}, the most that can be counted exactly in steps of ${amountToText(baseAmount(grid, ONE_STEP))}: ${advice}.`,
    )
    this.limit = limit
    this.actual = actual
  }
}

const ONE_STEP = 1 as Steps

/** Zero quantity. */
export const NO_STEPS = 0 as Steps

/** Checked constructor: a price of `value` ticks; throws `InvariantError` unless it is a safe whole number. */
export function ticks(value: number): Ticks {
  if (!Number.isSafeInteger(value))
    throw new InvariantError(`A price must be a whole number of ticks, not ${value}.`)
  return value as Ticks
}

/** Checked constructor: a quantity of `value` steps; throws `InvariantError` unless it is a safe whole number of at least 0. */
export function steps(value: number): Steps {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new InvariantError(`A quantity must be a whole number of steps, at least 0, not ${value}.`)
  }
  return value as Steps
}

/** Parses a price on the grid; throws `UsageError` for one off the grid. */
export function ticksOf(grid: Grid, price: string | Decimal): Ticks {
  return ticks(onGrid(price, grid.pricePrecision, 'price'))
}

/** Parses a quantity on the grid; throws `UsageError` for one off the grid. */
export function stepsOf(grid: Grid, quantity: string | Decimal): Steps {
  return steps(onGrid(quantity, grid.quantityPrecision, 'quantity'))
}

/**
 * Rounds a computed price to the grid. A price within float noise of a tick (some 16 units in the last place,
 * at least 10^-9 of a tick) is that tick, so that 100 × 1.1 does not round to the next tick up.
 */
export function roundToTicks(grid: Grid, price: number, rounding: Rounding): Ticks {
  return ticks(roundWithNoise(price * powerOfTen(grid.pricePrecision), rounding))
}

/** Rounds like `roundToTicks` a price that is already in ticks. */
export function wholeTicks(value: number, rounding: Rounding): Ticks {
  return ticks(roundWithNoise(value, rounding))
}

/** The price of `value` ticks, as the nearest double. */
export function priceOf(grid: Grid, value: Ticks): number {
  return value / powerOfTen(grid.pricePrecision)
}

/** The quantity of `value` steps in base units, as the nearest double. */
export function quantityOf(grid: Grid, value: Steps): number {
  if (grid.contractSize !== undefined) return amountToNumber(baseAmount(grid, value))
  return value / powerOfTen(grid.quantityPrecision)
}

/** Steps in one unit of base, as the nearest double. */
export function stepsPerBase({ quantityPrecision, contractSize }: Grid): number {
  return contractSize === undefined ? powerOfTen(quantityPrecision) : 1 / amountToNumber(contractSize)
}

/** Wire text of a price, with exactly the decimals of the grid. */
export function priceText(grid: Grid, value: Ticks): string {
  return fixedText(value, grid.pricePrecision)
}

/** Wire text of a quantity (or number of contracts), with exactly the decimals of the grid. */
export function quantityText(grid: Grid, value: Steps): string {
  return fixedText(value, grid.quantityPrecision)
}

/** Exact text of a quantity in base, also where it is one of contracts. */
export function baseText(grid: Grid, value: Steps): string {
  return grid.contractSize === undefined ? quantityText(grid, value) : amountToText(baseAmount(grid, value))
}

/** Exact price × quantity in quote; for contracts, price × contracts × contract size. */
export function notionalOf(grid: Grid, price: Ticks, quantity: Steps): Amount {
  if (grid.contractSize !== undefined) return worthOf(grid, price, baseAmount(grid, quantity))
  const decimals = grid.pricePrecision + grid.quantityPrecision
  const last = lastNotional
  if (price === last.price && quantity === last.quantity && decimals === last.decimals) return last.amount
  const amount = productOf(price, quantity, decimals)
  last.price = price
  last.quantity = quantity
  last.decimals = decimals
  last.amount = amount
  return amount
}

/** Exact price × quantity less the same at another price, in quote: the gain of a quantity that was bought at `from`. */
export function gainOf(grid: Grid, from: Ticks, to: Ticks, quantity: Steps): Amount {
  if (grid.contractSize !== undefined)
    return subtract(notionalOf(grid, to, quantity), notionalOf(grid, from, quantity))
  return productOf(to - from, quantity, grid.pricePrecision + grid.quantityPrecision)
}

/** A product of whole numbers, in units of 10^-decimals. One that is a safe integer is exact as a double, and needs one bigint fewer. */
export function productOf(left: number, right: number, decimals: number): Amount {
  const product = left * right
  const exact = Number.isSafeInteger(product) ? BigInt(product) : BigInt(left) * BigInt(right)
  return (exact * unitsPer(decimals)) as Amount
}

/**
 * The latest product, cached: the checks of one order, and the steps of booking one fill, all need the same.
 */
const lastNotional = { price: Number.NaN, quantity: Number.NaN, decimals: Number.NaN, amount: 0n as Amount }

/** Exact price × an amount of base, in quote, towards zero at 10^-18. */
export function worthOf(grid: Grid, price: Ticks, base: Amount): Amount {
  return base === 0n ? base : (((BigInt(price) * base) / bigPowerOfTen(grid.pricePrecision)) as Amount)
}

/**
 * Base that an amount of quote buys at a price, rounded towards zero at 10^-18: same as `divide(money,
 * priceAmount(…))`, but with a divisor of one machine word.
 */
export function baseFor(grid: Grid, money: Amount, price: Ticks): Amount {
  return ((money * bigPowerOfTen(grid.pricePrecision)) / BigInt(price)) as Amount
}

/** Exact price of `value` ticks, in quote per base. */
export function priceAmount(grid: Grid, value: Ticks): Amount {
  return (BigInt(value) * unitsPer(grid.pricePrecision)) as Amount
}

/** Exact base amount of a quantity. */
export function baseAmount({ quantityPrecision, contractSize }: Grid, quantity: Steps): Amount {
  if (contractSize !== undefined) return (BigInt(quantity) * contractSize) as Amount
  const last = lastBase
  if (quantity === last.quantity && quantityPrecision === last.decimals) return last.amount
  const amount = (BigInt(quantity) * unitsPer(quantityPrecision)) as Amount
  last.quantity = quantity
  last.decimals = quantityPrecision
  last.amount = amount
  return amount
}

/** The latest base amount, cached: the steps of an order become base units, and steps again. */
const lastBase = { quantity: Number.NaN, decimals: Number.NaN, amount: 0n as Amount }

function isLatestBase({ quantityPrecision, contractSize }: Grid, base: Amount): boolean {
  return contractSize === undefined && quantityPrecision === lastBase.decimals && base === lastBase.amount
}

/** Whole steps in an amount of base (or a quotient at the same scale), rounded down; 0 if negative. Throws `UncountableQuantityError`. */
export function stepsWithin(grid: Grid, base: Amount | Rate): Steps {
  if (base <= 0n) return NO_STEPS
  const clear = clearSteps(Number(base) / unitsPerStep(grid))
  if (clear !== undefined) return clear
  const whole = Number(base / (grid.contractSize ?? unitsPer(grid.quantityPrecision)))
  return countable(whole, grid, base as bigint as Amount)
}

function countable(whole: number, grid: Grid, base: Amount): Steps {
  if (whole > Number.MAX_SAFE_INTEGER) throw new UncountableQuantityError(grid, base)
  return steps(whole)
}

/**
 * Whole steps in a computed amount of base, rounded down, but an amount within float noise of a step (see
 * `roundToTicks`) is that step, so that a third of 3 contracts is 1. Use `stepsWithin` for exact amounts that
 * must not be exceeded. Throws `UncountableQuantityError`.
 */
export function roundToSteps(grid: Grid, base: Amount): Steps {
  if (base <= 0n) return NO_STEPS
  if (isLatestBase(grid, base)) return lastBase.quantity as Steps // set with the amount
  const clear = clearSteps(Number(base) / unitsPerStep(grid))
  if (clear !== undefined) return clear
  const step = grid.contractSize ?? unitsPer(grid.quantityPrecision)
  const rest = base % step
  const whole = base / step
  if (rest === 0n) return countable(Number(whole), grid, base)
  const gap = step - rest
  const isNoise = gap <= step / NOISE_PARTS || gap <= base >> NOISE_BITS
  return countable(Number(isNoise ? whole + 1n : whole), grid, base)
}

/**
 * Whole steps in an exact number of steps of which `quotient` is the double, rounded down or as by `roundToSteps`; `undefined`
 * where the error of the double may decide. The exact number may be 1.5 × 10^-9 of a step, or 2^-48 of itself, away from it.
 */
export function clearSteps(quotient: number): Steps | undefined {
  const margin = Math.max(3e-9, quotient * 2 ** -46)
  const whole = Math.floor(quotient)
  const part = quotient - whole
  const isClear = quotient > 0 && part > margin && part < 1 - margin
  return isClear ? (whole as Steps) : undefined // where it is, below 2^46
}

/** Amount units (10^-18) in one step, as the nearest double. */
export function unitsPerStep({ quantityPrecision, contractSize }: Grid): number {
  return contractSize === undefined ? powerOfTen(AMOUNT_DECIMALS - quantityPrecision) : Number(contractSize)
}

/** Steps in a fraction (0 to 1) of `whole`, rounded down, but within float noise of a step that step. */
export function stepsOfFraction(whole: Steps, fraction: number): Steps {
  return steps(roundedDown(whole * fraction))
}

/** Rounds a computed number of grid points down, but within float noise of a whole number to that. */
export function roundedDown(scaled: number): number {
  return roundWithNoise(scaled, 'down')
}

const POWERS = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent)
const BIG_POWERS = POWERS.map(power => BigInt(power))
const UNITS = Array.from(
  { length: AMOUNT_DECIMALS + 1 },
  (_, precision) => 10n ** BigInt(AMOUNT_DECIMALS - precision),
)

/** 10^exponent; exact as a double up to 22. */
function powerOfTen(exponent: number): number {
  const power = POWERS[exponent]
  if (power === undefined)
    throw new InvariantError(`A precision of ${exponent} decimals is out of range (0 to 22).`)
  return power
}

/** 10^exponent as a bigint. */
function bigPowerOfTen(exponent: number): bigint {
  return BIG_POWERS[exponent] ?? BigInt(powerOfTen(exponent))
}

/** Amount units (10^-18) in one unit of the given precision. */
function unitsPer(precision: number): bigint {
  const units = UNITS[precision]
  if (units === undefined) {
    throw new InvariantError(
      `Price and quantity precision add up to ${precision}, but amounts carry ${AMOUNT_DECIMALS} decimals.`,
    )
  }
  return units
}

function onGrid(value: string | Decimal, precision: number, what: string): number {
  const decimal = decimalOf(value)
  if (decimal.decimalPlaces() > precision) {
    throw new UsageError(`The ${what} ${value} is off the grid: at most ${precision} decimals are allowed.`)
  }
  const points = decimal.times(powerOfTen(precision)).toNumber()
  if (Number.isSafeInteger(points) && (points >= 0 || what === 'price')) return points
  throw new UsageError(`The ${what} ${value} is out of range for a grid of ${precision} decimals.`)
}

/** Float noise: a relative part of a value, and a minimum in parts of a grid point. */
const NOISE = 2 ** -48
const NOISE_BITS = 48n
const NOISE_PARTS = 1_000_000_000n

function roundWithNoise(scaled: number, rounding: Rounding): number {
  const nearest = Math.round(scaled)
  if (Math.abs(scaled - nearest) <= Math.max(1e-9, Math.abs(scaled) * NOISE)) return nearest
  if (rounding === 'nearest') return nearest
  return rounding === 'down' ? Math.floor(scaled) : Math.ceil(scaled)
}

function fixedText(value: number, precision: number): string {
  const digits = Math.abs(value)
    .toString()
    .padStart(precision + 1, '0')
  const sign = value < 0 ? '-' : ''
  return precision === 0 ? sign + digits : `${sign}${digits.slice(0, -precision)}.${digits.slice(-precision)}`
}
