import { z } from 'zod'
import { type Amount, amountOf, amountToText, type Rate, rateOf } from '../domain/numbers/amount.ts'
import { Decimal } from '../domain/numbers/decimal.ts'

/** Text that is not blank; `expected` describes it ("the path of a file"). */
export function text(expected: string) {
  return z.string({ error: expected }).regex(/\S/, { error: expected })
}

/** A whole number of at least `min`, and at most `max` if given. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER) {
  const error =
    max === Number.MAX_SAFE_INTEGER
      ? `a whole number of at least ${min}`
      : `a whole number from ${min} to ${max}`
  return z.number({ error }).int({ error }).min(min, { error }).max(max, { error })
}

/** A finite number above `bound`. */
export function numberAbove(bound: number) {
  const error = `a number above ${bound}`
  return z.number({ error }).gt(bound, { error })
}

/** true or false. */
export function flag() {
  return z.boolean({ error: 'true or false' })
}

/** One of a few names. */
export function oneOf<const Names extends readonly [string, ...string[]]>(...names: Names) {
  return z.enum(names, { error: `one of ${names.join(', ')}` })
}

/** Money or a quantity of at least 0, written as a number or as text; kept exactly. */
export function amount() {
  return exact('an amount of at least 0 with at most 18 decimals', value => amountOf(value))
}

/** A fraction from 0 to below 1, written as a number or as text; kept exactly. */
export function rate() {
  return exact('a fraction from 0 to below 1 (0.001 is 0.1%)', value =>
    value.lt(1) ? rateOf(value) : undefined,
  )
}

/** The same, as the nearest number: for approximate computations only. */
export function fraction() {
  return rate().transform(exactly => Number(amountToText(exactly)))
}

/** A fraction between `-bound` and `bound`, written as a number or as text; kept exactly. */
export function signedRate(bound: string) {
  const convert = (value: Decimal) => (value.abs().lte(bound) ? rateOf(value) : undefined)
  return exact(`a fraction from -${bound} to ${bound}`, convert, null)
}

function exact<Value extends Amount | Rate>(
  expected: string,
  convert: (value: Decimal) => Value | undefined,
  least: bigint | null = 0n,
) {
  return z.union([z.number(), z.string()], { error: expected }).transform((written, context) => {
    const value = parsed(written, convert)
    if (value !== undefined && (least === null || value >= least)) return value
    context.addIssue({ code: 'custom', message: expected })
    return z.NEVER
  })
}

function parsed<Value>(
  written: number | string,
  convert: (value: Decimal) => Value | undefined,
): Value | undefined {
  try {
    return convert(new Decimal(typeof written === 'string' ? written.trim() : written))
  } catch {
    return undefined // no decimal number, or one that is too fine: the caller says what was expected
  }
}
