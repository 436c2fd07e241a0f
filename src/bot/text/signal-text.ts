import { orderWord } from '../../domain/orders/order-words.ts'
import { grouped, numberText, percentText } from './figures.ts'

/** A JSON object of a log line. */
type Fields = Readonly<Record<string, unknown>>

/** A signal in words: `enter long, stop-loss 58,000, take-profit 2% from the entry`; keys that are not known here are named as they are. */
export function signalText(signal: unknown): string {
  const { type, direction, order, market, ...rest } = fieldsOf(signal)
  const kind = SIGNALS[String(type)] ?? String(type)
  return [
    [kind, direction].filter(part => part !== undefined).join(' '),
    ...(market === undefined ? [] : [`on its market "${market}"`]),
    ...(order === undefined ? [] : [orderText(order)]),
    ...Object.entries(rest).flatMap(([key, value]) => (value === undefined ? [] : [detailText(key, value)])),
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

const DETAILS: Readonly<Record<string, (value: unknown) => string>> = {
  size: value => `size ${sizeText(value)}`,
  stopLoss: value => `stop-loss ${levelText(value)}`,
  takeProfit: value => `take-profit ${levelText(value)}`,
  trailingStop: value => `trailing stop ${distanceText(value)}`,
  expiresAfter: value => `expires after ${entriesText(value)}`,
  fraction: value => `${percentText(Number(value))} of the position`,
  scaleIn: value => (value === true ? 'scale in' : 'no scale-in'),
  keep: value => (value === true ? 'keep' : 'replace'),
  tag: value => `tag ${value}`,
  oco: value => `OCO group ${value}`,
  quotes: value => listText(value, quoteText),
}

function detailText(key: string, value: unknown): string {
  return DETAILS[key]?.(value) ?? `${key} ${plainText(value)}`
}

/** A size in words: `0.5 in base`, `10% of equity`. */
export function sizeText(size: unknown): string {
  return Object.entries(fieldsOf(size))
    .map(([key, value]) => SIZES[key]?.(Number(value)) ?? `${key} ${plainText(value)}`)
    .join(', ')
}

const SIZES: Readonly<Record<string, (value: number) => string>> = {
  quote: value => `${numberText(value)} of quote`,
  base: value => `${numberText(value)} of base`,
  equityFraction: value => `${percentText(value)} of equity`,
  riskFraction: value => `${percentText(value)} of equity at risk`,
  maxEquityFraction: value => `at most ${percentText(value)} of equity`,
}

function levelText(value: unknown): string {
  if (typeof value === 'number') return numberText(value)
  if (value === 'none') return 'none'
  if (Array.isArray(value)) return listText(value, levelText)
  const { at, fraction, ...rest } = fieldsOf(value)
  if (Object.keys(rest).length > 0) return plainText(value)
  if (at === undefined) return `${percentText(Number(fraction))} from the entry`
  return `${levelText(at)} (${percentText(Number(fraction))} of the entry)`
}

function distanceText(value: unknown): string {
  const { distance, fraction, callbackRate, activation, ...rest } = fieldsOf(value)
  const parts = [
    ...(distance === undefined ? [] : [`${numberText(Number(distance))} behind the best price`]),
    ...(fraction === undefined ? [] : [`${percentText(Number(fraction))} behind the best price`]),
    ...(callbackRate === undefined ? [] : [`${percentText(Number(callbackRate))} behind the best price`]),
    ...(activation === undefined ? [] : [`active from ${levelText(activation)}`]),
    ...(value === 'none' ? ['none'] : []),
    ...Object.entries(rest).map(([key, more]) => `${key} ${plainText(more)}`),
  ]
  return parts.join(', ')
}

function orderText(order: unknown): string {
  const { type, price, stopPrice, triggerPrice, ...rest } = fieldsOf(order)
  const at = [stopPrice, triggerPrice, price].filter(given => given !== undefined)
  return [
    `${orderWord(String(type))} order${at.length === 0 ? '' : ' at '}${at.map(plainText).join(', limit ')}`,
    ...Object.entries(rest).flatMap(([key, value]) =>
      value === false ? [] : [value === true ? key : plainText(value)],
    ),
  ].join(', ')
}

function quoteText(quote: unknown): string {
  const { side, price, size } = fieldsOf(quote)
  return `${String(side).toUpperCase()} ${sizeText(size)} at ${plainText(price)}`
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
