import { z } from 'zod'
import { Decimal } from '../../domain/numbers/decimal.ts'
import { plainDecimal } from './plain-decimal.ts'

/** A smaller `idx` counts seconds, a larger one ms: 10^11 s lies in the year 5138, 10^11 ms in 1973. */
const FIRST_MS = 1e11

/** Year 2001, ms UTC: a smaller number is no time of an exchange in ms. */
const EARLIEST_MS = 1e12

const DECIMAL_TEXT = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,9})?$/i

/** A decimal as exchanges write it, without an exponent. */
const PLAIN_NUMBER = /^-?\d{1,30}(?:\.\d{1,30})?$/

/** At most as many digits as a double certainly holds. */
const PLAIN_INTEGER = /^\d{1,15}$/

/**
 * Largest accepted exponent; real prices and amounts are far below, and a larger one would only create a huge
 * number of digits.
 */
const MAX_EXPONENT = 60

/**
 * An exact decimal, from text or a JSON number. Parsed and checked in one step, like ids and times, because
 * answers consist mostly of them: a chain of schemas takes several times as long.
 */
export const decimalField = z.transform((value: string | number | Decimal, context): Decimal => {
  const decimal = finiteDecimal(value)
  return decimal ?? refuse(value, 'must be a decimal number', context)
})

/** A decimal above zero. */
export const positiveDecimalField = z.transform((value: string | number | Decimal, context): Decimal => {
  const decimal = finiteDecimal(value)
  if (decimal === undefined) return refuse(value, 'must be a decimal number', context)
  return decimal.isPositive() && !decimal.isZero() ? decimal : refuse(value, 'must be above 0', context)
})

/** A decimal above zero that the exchange expects as text. */
export const positiveDecimalTextField = positiveDecimalField.transform(value => value.toFixed())

/** A decimal that is `undefined` if the answer omits it or it is unreadable. */
export const optionalDecimalField = z.transform((value: unknown) => finiteDecimal(value))

/** A decimal that is `undefined` if the answer omits it; one that cannot be read is refused. */
export const decimalIfGiven = z.transform((value: unknown, context): Decimal | undefined => {
  if (isOmitted(value)) return undefined
  return finiteDecimal(value) ?? refuse(value, 'must be a decimal number', context)
})

/** A best price that is `undefined` on an empty side: zero, missing or unreadable. */
export const bestPriceField = z.transform((value: unknown) => {
  const price = finiteDecimal(value)
  return price?.isZero() ? undefined : price
})

/** A price that is `undefined` if it is zero, empty or missing. */
export const optionalPriceField = z.transform((value: unknown, context): Decimal | undefined => {
  if (isOmitted(value)) return undefined
  const price = finiteDecimal(value)
  if (price === undefined) return refuse(value, 'must be a decimal number', context)
  return price.isZero() ? undefined : price
})

/** A statistic: the nearest double of a decimal. */
export const numberField = z.transform((value: string | number | Decimal, context): number => {
  // Such text has no extreme exponent, and JavaScript also parses it as the nearest double.
  if (typeof value === 'string' && PLAIN_NUMBER.test(value)) return Number(value)
  const decimal = finiteDecimal(value)
  return decimal?.toNumber() ?? refuse(value, 'must be a decimal number', context)
})

/** A whole number between two bounds, both included. */
export function integerField(min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER) {
  return z.transform((value: string | number | Decimal, context): number => {
    const integer = integerOf(value)
    if (integer !== undefined && integer >= min && integer <= max) return integer
    return refuse(value, `must be a whole number${boundsText(min, max)}`, context)
  })
}

/** A whole number between two bounds that is `undefined` if the answer omits it. */
export function integerIfGiven(min: number, max = Number.MAX_SAFE_INTEGER) {
  const field = integerField(min, max)
  return z.transform((value: unknown) => (isOmitted(value) ? undefined : value)).pipe(field.optional())
}

/** A time, ms UTC. */
export const timeField = integerField(0)

/** A time that is `undefined` if the answer omits it or says 0. */
export const optionalTimeField = integerIfGiven(0).transform(value => value || undefined)

/** A time in ms after the year 2001; `undefined` for any other value, such as a date as text. */
export const laterTimeField = z.transform((value: unknown) => {
  const time = integerOf(value)
  return time !== undefined && time >= EARLIEST_MS ? time : undefined
})

/** A time in ms or in seconds; returns ms UTC. */
export const openTimeField = timeField.transform(startInMs)

/** Converts a time in ms or in seconds to ms UTC. */
function startInMs(value: number): number {
  return value < FIRST_MS ? value * 1000 : value
}

/** An id as text, because ids exceed 2^53; an array of one id becomes that id. */
export const idField = z.transform((value: string | number | readonly [string | number], context): string => {
  const id = idOf(value)
  return id || refuse(value, id === '' ? 'must not be empty' : 'must be an id', context)
})

/** An id that is `undefined` if the answer omits it. */
export const idIfGiven = z.transform((value: unknown, context): string | undefined => {
  if (isOmitted(value)) return undefined
  return idOf(value) || refuse(value, 'must be an id', context)
})

/** An answer that is the id of an order alone, as an object with it. */
export function withOrderId(answer: unknown): unknown {
  return typeof answer === 'string' && /^\d+$/.test(answer) ? { orderId: answer } : answer
}

/** An id that is `undefined` for the exchange's empty values (`"0"`, empty or null). */
export const optionalIdField = z.transform((value: unknown, context): string | undefined => {
  if (value === undefined || value === null || idOf(value) !== undefined) return presentIdOf(value)
  return refuse(value, 'must be an id', context)
})

/** Text that is not empty. */
export const textField = z.string('must be text').min(1, 'must not be empty')

/** Text that is `undefined` if it is missing or empty. */
export const optionalTextField = z
  .string()
  .nullish()
  .transform(value => value || undefined)

/** Yes or no: `1` and `0`, `ON` and `OFF`, `true` and `false`. */
export const flagField = z
  .union([z.boolean(), z.string(), z.int()])
  .transform(value => String(value).toUpperCase())
  .pipe(z.enum(['1', 'ON', 'TRUE', '0', 'OFF', 'FALSE']))
  .transform(value => value === '1' || value === 'ON' || value === 'TRUE')

/** The same; `undefined` if the answer omits it or it is unreadable. */
export const optionalFlagField = flagField.optional().catch(undefined)

/** The name of a numeric code in an answer. */
export function codeField<Name extends string>(codes: Readonly<Record<Name, number>>) {
  return integerField().transform((code, context): Name => {
    // The keys of the record are its names; Object.keys loses that type.
    const name = (Object.keys(codes) as Name[]).find(known => codes[known] === code)
    if (name !== undefined) return name
    context.addIssue({ code: 'custom', message: `${code} is none of ${codeList(codes)}` })
    return z.NEVER
  })
}

/**
 * Numeric code of a name. An unknown name from plain JavaScript stays, so that the request check refuses it.
 */
export function codeOf<Name extends string>(
  codes: Readonly<Record<Name, number>>,
  name: Name | undefined,
): number | string | undefined {
  return name === undefined ? undefined : (codes[name] ?? name)
}

/** A numeric code in a request. */
export function codeParameter(codes: Readonly<Record<string, number>>) {
  const message = `must be one of ${codeList(codes)}`
  return z
    .union([z.int(), z.string()], message)
    .transform(Number)
    .refine(code => Object.values(codes).includes(code), message)
}

/** One of a few names in a request. */
export function nameParameter<const Name extends string>(names: readonly Name[]) {
  const message = `must be one of ${names.join(', ')}`
  const byText = new Map<string, Name>(names.map(name => [name, name]))
  return z.transform((value: string, context): Name => {
    const name = byText.get(value)
    if (name !== undefined) return name
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
}

/** An order id in a request: decimal digits. */
export const orderIdParameter = z.transform((value: string | number, context): string => {
  const id = idOf(value)
  return id !== undefined && /^\d+$/.test(id) ? id : refuse(value, 'must be an order id of digits', context)
})

/** An id in a request that the exchange expects as a JSON number, with all its digits. */
export const idNumberParameter = orderIdParameter.transform(id => new Decimal(id))

/** An order id chosen by the client; 32 characters are the shortest documented bound (margin). */
export const clientOrderIdParameter = z
  .string('must be text')
  .min(1, 'must not be empty')
  .max(32, 'must have at most 32 characters')

/** A pair in a request, `BASE/QUOTE`. */
export const symbolParameter = z
  .string('is required, in the form BASE/QUOTE')
  .regex(/^[^/\s,]+\/[^/\s,]+$/, 'must have the form BASE/QUOTE')

/** Several pairs in a request, `BASE/QUOTE`, separated by commas. */
export const symbolListParameter = z
  .string()
  .regex(
    /^[^/\s,]+\/[^/\s,]+(,[^/\s,]+\/[^/\s,]+)*$/,
    'must be pairs of the form BASE/QUOTE, separated by commas',
  )

/** A futures contract in a request, such as `E-BTC-USDT`. */
export const contractNameParameter = z
  .string('is required, in the form E-BTC-USDT')
  .regex(/^[^-\s]+-[^-\s]+-[^-\s]+$/, 'must have the form E-BTC-USDT')

/** Required text in a request. */
export const textParameter = z.string('is required, as text').min(1, 'must not be empty')

/** A whole number from a value; `undefined` if it is not one, or beyond 2^53. */
export function integerOf(value: unknown): number | undefined {
  if (typeof value === 'string' && PLAIN_INTEGER.test(value)) return Number(value)
  const decimal = finiteDecimal(value)
  const integer = decimal?.isInteger() ? decimal.toNumber() : undefined
  return Number.isSafeInteger(integer) ? integer : undefined
}

/** An id from a value; `undefined` if it is not one, or one of the exchange's empty values. */
export function presentIdOf(value: unknown): string | undefined {
  const id = idOf(value)
  return id === '' || id === '0' ? undefined : id
}

/** An id as text; `undefined` if the value is not an id. */
function idOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.length === 1 && !Array.isArray(value[0])) return idOf(value[0])
  return Number.isSafeInteger(value) ? String(value) : undefined
}

/** The exchange's values for a key that is not given. */
function isOmitted(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function refuse(value: unknown, message: string, context: z.RefinementCtx): never {
  context.addIssue({ code: 'custom', message: value === undefined ? 'is required' : message })
  return z.NEVER
}

/** A decimal from a value; `undefined` if it is not one, infinite, or has an extreme exponent. */
export function finiteDecimal(value: unknown): Decimal | undefined {
  if (typeof value !== 'string')
    return typeof value === 'number' || Decimal.isDecimal(value) ? bounded(value) : undefined
  return plainDecimal(value) ?? (DECIMAL_TEXT.test(value) ? bounded(value) : undefined)
}

function bounded(value: string | number | Decimal): Decimal | undefined {
  const decimal = new Decimal(value)
  return decimal.isFinite() && Math.abs(decimal.e) <= MAX_EXPONENT ? decimal : undefined
}

/** Text such as `1 (cross), 2 (isolated)`. */
function codeList(codes: Readonly<Record<string, number>>): string {
  return Object.entries(codes)
    .map(([name, code]) => `${code} (${name})`)
    .join(', ')
}

function boundsText(min: number, max: number): string {
  const least = min === Number.MIN_SAFE_INTEGER ? '' : ` of at least ${min}`
  if (max === Number.MAX_SAFE_INTEGER) return least
  return least === '' ? ` of at most ${max}` : ` from ${min} to ${max}`
}
