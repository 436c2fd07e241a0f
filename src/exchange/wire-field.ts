import { z } from 'zod'
import { Decimal } from '../domain/decimal.ts'

/** Below this an `idx` counts seconds, from it on ms: 10^11 s lies in the year 5138, 10^11 ms in 1973. */
const FIRST_MS = 1e11

const DECIMAL_TEXT = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,9})?$/i

/** No price or amount has an exponent near this; a larger one would only make a huge number of digits. */
const MAX_EXPONENT = 60

const numeric = z.union(
  [z.string(), z.number(), z.custom<Decimal>(value => Decimal.isDecimal(value), 'must be a decimal number')],
  { error: ({ input }) => (input === undefined ? 'is required' : 'must be a decimal number') },
)

/** An exact decimal, whether it came as text or as a JSON number. */
export const decimalField = numeric.transform((value, context): Decimal => {
  const decimal = finiteDecimal(value)
  if (decimal !== undefined) return decimal
  context.addIssue({ code: 'custom', message: 'must be a decimal number' })
  return z.NEVER
})

/** A decimal above zero. */
export const positiveDecimalField = decimalField.refine(value => value.gt(0), 'must be above 0')

/** A decimal above zero that the exchange wants as text. */
export const positiveDecimalTextField = positiveDecimalField.transform(value => value.toFixed())

/** A decimal that is `undefined` where the answer leaves it out or says nothing readable. */
export const optionalDecimalField = decimalField
  .nullish()
  .catch(undefined)
  .transform(value => value ?? undefined)

/** A price that is `undefined` where the exchange says zero, empty or nothing. */
export const optionalPriceField = decimalField
  .or(z.literal(''))
  .nullish()
  .transform(price =>
    price === null || price === undefined || price === '' || price.isZero() ? undefined : price,
  )

/** A statistic: the nearest double of a decimal. */
export const numberField = decimalField.transform(value => value.toNumber())

/** A whole number between two bounds, both included. */
export function integerField(min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER) {
  return numeric.transform((value, context): number => {
    const decimal = finiteDecimal(value)
    if (decimal?.isInteger() && decimal.gte(min) && decimal.lte(max)) return decimal.toNumber()
    context.addIssue({ code: 'custom', message: `must be a whole number${boundsText(min, max)}` })
    return z.NEVER
  })
}

/** A moment, ms UTC. */
export const timeField = integerField(0)

/** A moment that is `undefined` where the answer leaves it out. */
export const optionalTimeField = timeField.nullish().transform(value => value ?? undefined)

/** A moment given in ms or in seconds; ms UTC. */
export const openTimeField = timeField.transform(value => (value < FIRST_MS ? value * 1000 : value))

/** An id as text, because ids exceed 2^53; an array of one id is that id. */
export const idField = z
  .union([z.string(), z.int(), z.tuple([z.union([z.string(), z.int()])])])
  .transform(value => String(Array.isArray(value) ? value[0] : value))
  .refine(value => value !== '', 'must not be empty')

/** An id that is `undefined` where the exchange says that there is none (`"0"`, empty or null). */
export const optionalIdField = idField
  .or(z.literal(''))
  .nullish()
  .transform(value => (value === '0' || value === '' || value === null ? undefined : value))

/** Text that is `undefined` where the answer has none. */
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

/** The name of a numeric code in an answer. */
export function codeField<Name extends string>(codes: Readonly<Record<Name, number>>) {
  return integerField().transform((code, context): Name => {
    // The keys of the record are its names; Object.keys forgets that.
    const name = (Object.keys(codes) as Name[]).find(known => codes[known] === code)
    if (name !== undefined) return name
    context.addIssue({ code: 'custom', message: `${code} is none of ${codeList(codes)}` })
    return z.NEVER
  })
}

/** The numeric code of a name. A name that plain JavaScript made up stays, so that the request check refuses it. */
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
  return z.string(message).pipe(z.enum(names, message))
}

/** An order id in a request: decimal digits. */
export const orderIdParameter = idField.refine(value => /^\d+$/.test(value), 'must be an order id of digits')

/** An id in a request that the exchange wants as a JSON number, with all its digits. */
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

/** A list; `null` is an empty one. */
export function listField<Item extends z.ZodType>(item: Item) {
  return z
    .array(item)
    .nullable()
    .transform(list => list ?? [])
}

/** The decimal a value spells; `undefined` for any other text, infinities and absurd exponents. */
function finiteDecimal(value: string | number | Decimal): Decimal | undefined {
  if (typeof value === 'string' && !DECIMAL_TEXT.test(value)) return undefined
  const decimal = new Decimal(value)
  return decimal.isFinite() && Math.abs(decimal.e) <= MAX_EXPONENT ? decimal : undefined
}

/** `1 (cross), 2 (isolated)`. */
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
