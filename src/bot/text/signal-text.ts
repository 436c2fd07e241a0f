import type { Instrument } from '../../domain/instrument.ts'
import { Decimal } from '../../domain/numbers/decimal.ts'
import { priceText as gridText, type Rounding, roundToTicks } from '../../domain/numbers/grid.ts'
import { grouped } from '../../domain/numbers/grouped.ts'
import { orderWord } from '../../domain/orders/order-words.ts'
import { moneyText, numberText, percentText } from './figures.ts'

/** Market of a signal: the assets of its sizes, and the precision of its prices. */
export type SignalMarket = Pick<Instrument, 'base' | 'quote' | 'pricePrecision'>

/** Market of a signal, and the side of the position that it is about, where it says so. */
interface SignalContext extends SignalMarket {
  readonly direction?: unknown
}

/** A JSON object of a log line. */
type Fields = Readonly<Record<string, unknown>>

/**
 * A signal in words: `enter long, stop-loss 58,000.00, take-profit 2% from the entry`; keys that are not known here are named as
 * they are. Prices are those of its orders, which are rounded by their sides; where the signal does not tell the side, as given. Without its market, sizes are `of quote` or `of base`, and prices have the digits that the strategy gave.
 */
export function signalText(signal: unknown, on?: SignalMarket): string {
  const { type, direction, order, market, ...rest } = fieldsOf(signal)
  const context = on === undefined ? undefined : { ...on, direction }
  const kind = SIGNALS[String(type)] ?? String(type)
  return [
    [kind, direction].filter(part => part !== undefined).join(' '),
    ...(market === undefined ? [] : [`on its market "${market}"`]),
    ...(order === undefined ? [] : [orderText(order, context)]),
    ...Object.entries(rest).flatMap(([key, value]) =>
      value === undefined ? [] : [detailText(key, value, context)],
    ),
  ].join(', ')
}

const SIGNALS: Readonly<Record<string, string>> = {
  enter: 'enter',
  exit: 'exit',
  target: 'target position',
  cancelEntries: 'cancel entries',
  protect: 'change protection',
  quotes: 'quote',
}

const DETAILS: Readonly<Record<string, (value: unknown, on: SignalContext | undefined) => string>> = {
  size: (value, on) => `size ${sizeText(value, on)}`,
  stopLoss: (value, on) => `stop-loss ${levelText(value, on, exitRounding(on, 'down'))}`,
  takeProfit: (value, on) => `take-profit ${levelText(value, on, exitRounding(on, 'up'))}`,
  trailingStop: (value, on) =>
    `trailing stop ${Array.isArray(value) ? listText(value, one => distanceText(one, on)) : distanceText(value, on)}`,
  expiresAfter: value => `expires after ${entriesText(value)}`,
  fraction: value => `${percentText(Number(value))} of the position`,
  scaleIn: value => (value === true ? 'scale in' : 'no scale-in'),
  keep: value => (value === true ? 'keep' : 'replace'),
  tag: value => `tag ${value}`,
  oco: value => `OCO group ${value}`,
  quotes: (value, on) => listText(value, one => quoteText(one, on)),
}

function detailText(key: string, value: unknown, on: SignalContext | undefined): string {
  return DETAILS[key]?.(value, on) ?? `${key} ${plainText(value)}`
}

/** A size in words: `0.5 BTC` (without its market `0.5 of base`), `10% of equity`. */
export function sizeText(size: unknown, on?: SignalMarket): string {
  return Object.entries(fieldsOf(size))
    .map(([key, value]) => SIZES[key]?.(Number(value), on) ?? `${key} ${plainText(value)}`)
    .join(', ')
}

const SIZES: Readonly<Record<string, (value: number, on: SignalMarket | undefined) => string>> = {
  quote: (value, on) =>
    on === undefined ? `${numberText(value)} of quote` : moneyText(new Decimal(value).toFixed(), on.quote),
  base: (value, on) =>
    on === undefined
      ? `${numberText(value)} of base`
      : `${numberText(Number(value.toPrecision(10)))} ${on.base}`,
  equityFraction: value => `${percentText(value)} of equity`,
  riskFraction: value => `${percentText(value)} of equity at risk`,
  maxEquityFraction: value => `at most ${percentText(value)} of equity`,
}

/** A price by the precision of its market, rounded as that of its order; without a rounding, at least so many digits. */
function priceText(price: unknown, on: SignalMarket | undefined, rounding?: Rounding): string {
  if (typeof price !== 'number' || on === undefined || !Number.isFinite(price)) return plainText(price)
  const { pricePrecision } = on
  if (rounding === undefined) {
    const given = new Decimal(price)
    return grouped(given.toFixed(Math.max(pricePrecision, given.decimalPlaces())))
  }
  const grid = { pricePrecision, quantityPrecision: 0 }
  return grouped(gridText(grid, roundToTicks(grid, price, rounding)))
}

/** Rounding of the price of an exit, of which that of a long position is given; `undefined` where the side is not known. */
function exitRounding(on: SignalContext | undefined, ofLong: 'up' | 'down'): Rounding | undefined {
  if (on?.direction === 'long') return ofLong
  if (on?.direction !== 'short') return undefined
  return ofLong === 'up' ? 'down' : 'up'
}

function levelText(value: unknown, on: SignalMarket | undefined, rounding: Rounding | undefined): string {
  if (typeof value === 'number') return priceText(value, on, rounding)
  if (value === 'none') return 'none'
  if (Array.isArray(value)) return listText(value, one => levelText(one, on, rounding))
  const { at, fraction, ...rest } = fieldsOf(value)
  if (Object.keys(rest).length > 0) return plainText(value)
  if (at === undefined) return `${percentText(Number(fraction))} from the entry`
  return `${levelText(at, on, rounding)} (${percentText(Number(fraction))} of the entry)`
}

function distanceText(value: unknown, on: SignalContext | undefined): string {
  const { distance, fraction, callbackRate, activation, ...rest } = fieldsOf(value)
  const parts = [
    ...(distance === undefined ? [] : [`${priceText(distance, on, 'up')} behind the best price`]),
    ...(fraction === undefined ? [] : [`${percentText(Number(fraction))} behind the best price`]),
    ...(callbackRate === undefined ? [] : [`${percentText(Number(callbackRate))} behind the best price`]),
    ...(activation === undefined ? [] : [`active from ${levelText(activation, on, exitRounding(on, 'up'))}`]),
    ...(value === 'none' ? ['none'] : []),
    ...Object.entries(rest).map(([key, more]) => `${key} ${plainText(more)}`),
  ]
  return parts.join(', ')
}

function orderText(order: unknown, on: SignalContext | undefined): string {
  const { type, price, stopPrice, triggerPrice, ...rest } = fieldsOf(order)
  // An entry is on the other side than the exit of its position.
  const [stopRounding, limitRounding] = [exitRounding(on, 'up'), exitRounding(on, 'down')]
  const at = [
    [stopPrice, stopRounding],
    [triggerPrice, limitRounding],
    [price, limitRounding],
  ] as const
  const prices = at.flatMap(([given, rounding]) =>
    given === undefined ? [] : priceText(given, on, rounding),
  )
  return [
    `${orderWord(String(type))} order${prices.length === 0 ? '' : ' at '}${prices.join(', limit ')}`,
    ...Object.entries(rest).flatMap(([key, value]) =>
      value === false ? [] : [value === true ? key : plainText(value)],
    ),
  ].join(', ')
}

function quoteText(quote: unknown, on: SignalMarket | undefined): string {
  const { side, price, size } = fieldsOf(quote)
  return `${String(side).toUpperCase()} ${sizeText(size, on)} at ${priceText(price, on, side === 'buy' ? 'down' : 'up')}`
}

function entriesText(value: unknown): string {
  return Object.entries(fieldsOf(value))
    .map(([key, one]) => `${plainText(one)} ${key}`)
    .join(', ')
}

function listText(value: unknown, textOf: (one: unknown) => string): string {
  if (!Array.isArray(value)) return plainText(value)
  return value.length === 0 ? 'none' : value.map(textOf).join('; ')
}

function plainText(value: unknown): string {
  if (typeof value === 'number') return numberText(value)
  if (typeof value === 'string') return grouped(value)
  return JSON.stringify(value)
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
