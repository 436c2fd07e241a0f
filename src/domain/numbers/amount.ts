import { UsageError } from '../sluice-error.ts'
import type { Brand } from './brand.ts'
import { Decimal, decimalOf } from './decimal.ts'

/** An exact amount of any asset: a whole number of 10^-18 units. Signed. */
export type Amount = Brand<bigint, 'Amount'>

/** An exact rate (a fraction: 0.001 is 0.1%): a whole number of 10^-18 units. */
export type Rate = Brand<bigint, 'Rate'>

/** Decimals of an `Amount` and of a `Rate`. */
export const AMOUNT_DECIMALS = 18

/** Decimals that suffice for most amounts. */
const SHORT_DECIMALS = 10
const SHORTS_PER_ONE = 10 ** SHORT_DECIMALS
const NUMBER_PER_SHORT = 10 ** (AMOUNT_DECIMALS - SHORT_DECIMALS)
const UNITS_PER_SHORT = BigInt(NUMBER_PER_SHORT)
/** Upper bound of numbers with at most 15 digits. */
const MOST_SHORTS = 1e15

const UNITS_PER_ONE = 10n ** BigInt(AMOUNT_DECIMALS)

/** Zero of any asset. */
export const ZERO = 0n as Amount

/** The rate 1, that is 100%. */
export const ONE_RATE = UNITS_PER_ONE as Rate

/**
 * Parses a decimal or its text (`"0.001"`, `"0E-16"`); throws `UsageError` if it is not a finite decimal or
 * finer than 10^-18.
 */
export function amountOf(value: string | Decimal): Amount {
  return scaled(value) as Amount
}

/** An amount as an exchange tells it, which may be finer than ours: rounded towards zero at 10^-18. */
export function amountAtExchange(value: Decimal): Amount {
  return amountOf(value.toDecimalPlaces(AMOUNT_DECIMALS, Decimal.ROUND_DOWN))
}

/** A rate from decimal text, or from a number by its shortest decimal form (0.1 is exactly one tenth). */
export function rateOf(value: string | number | Decimal): Rate {
  return scaled(value) as Rate
}

/** Rounds an approximate number (a statistic, a strategy's size) towards zero to a multiple of 10^-18. */
export function amountFromNumber(value: number): Amount {
  return truncated(value) as Amount
}

/** Rounds a fraction from a strategy towards zero to a multiple of 10^-18. */
export function rateFromNumber(value: number): Rate {
  if (value !== lastRate.value) {
    lastRate.rate = truncated(value) as Rate
    lastRate.value = value
  }
  return lastRate.rate
}

/** The latest rate, cached: a strategy usually sizes all its orders by one fraction. */
const lastRate = { value: Number.NaN, rate: 0n as Rate }

export function add(left: Amount, right: Amount): Amount {
  return (left + right) as Amount
}

export function subtract(left: Amount, right: Amount): Amount {
  return (left - right) as Amount
}

export function negate(amount: Amount): Amount {
  return -amount as Amount
}

export function absolute(amount: Amount): Amount {
  return (amount < 0n ? -amount : amount) as Amount
}

export function smaller(left: Amount, right: Amount): Amount {
  return left < right ? left : right
}

/** The larger of two amounts, or of two rates. */
export function larger<Value extends Amount | Rate>(left: Value, right: Value): Value {
  return left > right ? left : right
}

/** `amount × rate`, rounded towards zero at 10^-18. */
export function times(amount: Amount, rate: Rate): Amount {
  return ((amount * rate) / UNITS_PER_ONE) as Amount
}

/**
 * `amount ÷ divisor`, rounded towards zero at 10^-18: quote ÷ price is base, amount ÷ amount is a plain
 * ratio.
 */
export function divide(amount: Amount, divisor: Amount): Amount {
  return ((amount * UNITS_PER_ONE) / divisor) as Amount
}

/** The nearest double: for statistics and display only. No bigint is divided for it: it is asked for after every booking. */
export function amountToNumber(amount: Amount | Rate): number {
  const shorts = Math.round(Number(amount) / NUMBER_PER_SHORT)
  if (!Number.isSafeInteger(shorts)) return numberOfText(amount)
  // Less than three of `shorts`, so that the last 32 bits have it: together they are the whole amount.
  const rest = (Number(BigInt.asIntN(32, amount)) - Math.imul(shorts, NUMBER_PER_SHORT)) | 0
  // One division of exact doubles gives the nearest double.
  return rest === 0 ? shorts / SHORTS_PER_ONE : (nearest(shorts, rest) ?? numberOfText(amount))
}

/** The double nearest to `shorts` units of 10^-10 and `rest` of 10^-18; `undefined` near the middle of two, where the error may decide. */
function nearest(shorts: number, rest: number): number | undefined {
  const whole = Math.trunc(shorts / SHORTS_PER_ONE)
  const part = (shorts - whole * SHORTS_PER_ONE + rest / NUMBER_PER_SHORT) / SHORTS_PER_ONE
  const error = Math.abs(part) * 2 ** -50 + 1e-24
  const number = whole + (part - error)
  return number === whole + (part + error) ? number : undefined
}

function numberOfText(amount: Amount | Rate): number {
  return Number(`${amount}e-${AMOUNT_DECIMALS}`)
}

/** Plain decimal text without trailing zeros: `"0.001"`, `"-12"`. */
export function amountToText(amount: Amount | Rate): string {
  const negative = amount < 0n
  const digits = (negative ? -amount : amount).toString().padStart(AMOUNT_DECIMALS + 1, '0')
  const fraction = digits.slice(-AMOUNT_DECIMALS).replace(/0+$/, '')
  const text = digits.slice(0, -AMOUNT_DECIMALS) + (fraction === '' ? '' : `.${fraction}`)
  return negative ? `-${text}` : text
}

function scaled(value: string | number | Decimal): bigint {
  const decimal = decimalOf(value)
  if (decimal.decimalPlaces() > AMOUNT_DECIMALS) {
    throw new UsageError(`${value} is finer than 10^-${AMOUNT_DECIMALS}, the smallest amount Sluice keeps.`)
  }
  return BigInt(decimal.toFixed(AMOUNT_DECIMALS).replace('.', ''))
}

/**
 * A number by its shortest decimal text, truncated at 10^-18; plain text is truncated by hand, ten times as
 * fast as by decimal.js.
 */
function truncated(value: number): bigint {
  const short = Math.round(value * SHORTS_PER_ONE)
  // Decimals of up to 15 digits are distinct doubles, so this one is the shortest text of `value`.
  if (Math.abs(short) < MOST_SHORTS && short / SHORTS_PER_ONE === value)
    return BigInt(short) * UNITS_PER_SHORT
  const [whole = '', fraction = '', ...rest] = String(value).split('.')
  if (rest.length > 0 || !PLAIN_DIGITS.test(whole + fraction)) {
    return BigInt(decimalOf(value).toFixed(AMOUNT_DECIMALS, Decimal.ROUND_DOWN).replace('.', ''))
  }
  return BigInt(whole + fraction.slice(0, AMOUNT_DECIMALS).padEnd(AMOUNT_DECIMALS, '0'))
}

const PLAIN_DIGITS = /^-?\d+$/
