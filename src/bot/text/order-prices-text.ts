import { grouped } from '../../domain/numbers/grouped.ts'
import { numberText, percentText } from './figures.ts'

/** Prices of an order, quote per base. */
interface PricedOrder {
  readonly type: string
  /** Of a trailing stop: where it follows from, its activation if it has one, and its distance unless it has a rate. */
  readonly prices: readonly number[]
  /** Of a trailing stop: its level; absent before its activation. */
  readonly stopPrice?: string
  /** Of a trailing stop that follows by a fraction of the price. */
  readonly callbackRate?: number
}

/**
 * Prices of an order that works, quote per base: `58,000, 57,990.5`; of a trailing stop its level and how it follows:
 * `58,758.2 (follows by 157.2)`, and before its activation `active from 60,000 (follows by 0.2%)`. Empty for one at market.
 */
export function orderPricesText({ type, prices, stopPrice, callbackRate }: PricedOrder): string {
  if (type !== 'trailingStop') return prices.map(numberText).join(', ')
  const [, ...named] = prices // without where it follows from
  const [activation, distance] =
    callbackRate === undefined && named.length === 1 ? [undefined, ...named] : named
  const by = callbackRate === undefined ? numberText(Number(distance)) : percentText(callbackRate)
  const before = activation === undefined ? [] : [`active from ${numberText(activation)}`]
  return [...(stopPrice === undefined ? before : [grouped(stopPrice)]), `(follows by ${by})`].join(' ')
}
