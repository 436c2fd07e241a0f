import type { Instrument } from '../../domain/instrument.ts'
import { Decimal } from '../../domain/numbers/decimal.ts'
import { orderWord } from '../../domain/orders/order-words.ts'
import { grouped, moneyText, numberText, percentText } from './figures.ts'

/** Market of a signal: the assets of its sizes, and the precision of its prices. */
export type SignalMarket = Pick<Instrument, 'base' | 'quote' | 'pricePrecision'>

/** A JSON object of a log line. */
type Fields = Readonly<Record<string, unknown>>

/**
 * A signal in words: `enter long, stop-loss 58,000.00, take-profit 2% from the entry`; keys that are not known here are named as
 * they are. Without its market, sizes are `of quote` or `of base`, and prices have the digits that the strategy gave.
 */
export function signalText(signal: unknown, on?: SignalMarket): string {
  const { type, direction, order, market, ...rest } = fieldsOf(signal)
  const kind = SIGNALS[String(type)] ?? String(type)
  return [
    [kind, direction].filter(part => part !== undefined).join(' '),
    ...(market === undefined ? [] : [`on its market "${market}"`]),
    ...(order === undefined ? [] : [orderText(order, on)]),
    ...Object.entries(rest).flatMap(([key, value]) =>
      value === undefined ? [] : [detailText(key, value, on)],
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

const DETAILS: Readonly<Record<string, (value: unknown, on: SignalMarket | undefined) => string>> = {
  size: (value, on) => `size ${sizeText(value, on)}`,
  stopLoss: (value, on) => `stop-loss ${levelText(value, on)}`,
  takeProfit: (value, on) => `take-profit ${levelText(value, on)}`,
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

function detailText(key: string, value: unknown, on: SignalMarket | undefined): string {
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

/** A price by the precision of its market. */
function priceText(price: unknown, on: SignalMarket | undefined): string {
  if (typeof price !== 'number' || on === undefined || !Number.isFinite(price)) return plainText(price)
  return grouped(new Decimal(price).toFixed(on.pricePrecision))
}

function levelText(value: unknown, on: SignalMarket | undefined): string {
  if (typeof value === 'number') return priceText(value, on)
  if (value === 'none') return 'none'
  if (Array.isArray(value)) return listText(value, one => levelText(one, on))
  const { at, fraction, ...rest } = fieldsOf(value)
  if (Object.keys(rest).length > 0) return plainText(value)
  if (at === undefined) return `${percentText(Number(fraction))} from the entry`
  return `${levelText(at, on)} (${percentText(Number(fraction))} of the entry)`
}

function distanceText(value: unknown, on: SignalMarket | undefined): string {
  const { distance, fraction, callbackRate, activation, ...rest } = fieldsOf(value)
  const parts = [
    ...(distance === undefined ? [] : [`${priceText(distance, on)} behind the best price`]),
    ...(fraction === undefined ? [] : [`${percentText(Number(fraction))} behind the best price`]),
    ...(callbackRate === undefined ? [] : [`${percentText(Number(callbackRate))} behind the best price`]),
    ...(activation === undefined ? [] : [`active from ${levelText(activation, on)}`]),
    ...(value === 'none' ? ['none'] : []),
    ...Object.entries(rest).map(([key, more]) => `${key} ${plainText(more)}`),
  ]
  return parts.join(', ')
}

function orderText(order: unknown, on: SignalMarket | undefined): string {
  const { type, price, stopPrice, triggerPrice, ...rest } = fieldsOf(order)
  const at = [stopPrice, triggerPrice, price].filter(given => given !== undefined)
  return [
    `${orderWord(String(type))} order${at.length === 0 ? '' : ' at '}${at.map(price => priceText(price, on)).join(', limit ')}`,
    ...Object.entries(rest).flatMap(([key, value]) =>
      value === false ? [] : [value === true ? key : plainText(value)],
    ),
  ].join(', ')
}

function quoteText(quote: unknown, on: SignalMarket | undefined): string {
  const { side, price, size } = fieldsOf(quote)
  return `${String(side).toUpperCase()} ${sizeText(size, on)} at ${priceText(price, on)}`
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
  if (typeof value === 'string') return /^-?\d+(\.\d+)?$/.test(value) ? grouped(value) : value
  return JSON.stringify(value)
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
