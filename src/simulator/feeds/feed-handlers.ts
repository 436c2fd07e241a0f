import { type Amount, amountToText, divide, ZERO } from '../../domain/numbers/amount.ts'
import {
  NO_STEPS,
  notionalOf,
  priceAmount,
  priceText,
  quantityText,
  ticks,
} from '../../domain/numbers/grid.ts'
import type { Side } from '../../domain/orders/side.ts'
import type { EndpointHandler } from '../incoming-call.ts'
import { ApiError } from '../protocol/api-error.ts'
import { exactJsonNumber } from '../protocol/json-text.ts'
import type { ListedMarket } from '../spot/listed-market.ts'
import { countOf, feedMarketOf, listedAssets, pairCode } from './feed-market.ts'
import { mergedLevels } from './merged-levels.ts'

/**
 * Decimals of the steps that prices are merged to, by the number of the step (interface section 4.8); the
 * last disables merging.
 */
const MERGE_DECIMALS = [2, 1, Number.POSITIVE_INFINITY]
/** Maximum reported for a currency with unlimited withdrawals. */
const NO_MAXIMUM = 1_000_000_000

/** GET /v2/pub/summary: `percentChange` is in percent; every pair has the place of its listing as its id. */
export const summary: EndpointHandler = ({ exchange, now }) => ({
  code: '200',
  msg: 'success',
  data: Object.fromEntries(
    exchange.markets.map((market, index) => [pairCode(market), summaryEntry(market, index + 1, now)]),
  ),
  coins: Object.fromEntries(
    listedAssets(exchange.markets).map(name => [name, { name, withdrew: 'ON', deposit: 'ON' }]),
  ),
})

function summaryEntry(listed: ListedMarket, id: number, now: number) {
  const { instrument, market, rules } = listed
  const day = listed.lastDay(now)
  const price = (value = ticks(0)) => priceText(instrument, value)
  return {
    id,
    isFrozen: rules.isTrading ? '0' : '1',
    last: price(day?.last),
    high24hr: price(day?.high),
    low24hr: price(day?.low),
    quoteVolume: amountToText(day?.amount ?? ZERO),
    baseVolume: quantityText(instrument, day?.volume ?? NO_STEPS),
    percentChange: day === undefined ? '0' : percentText(day.open, day.last),
    lowestAsk: price(market.book.best('sell')?.price),
    highestBid: price(market.book.best('buy')?.price),
  }
}

function percentText(open: number, last: number): string {
  const units = (value: number) => (BigInt(value) * 10n ** 18n) as Amount // a plain number at the scale of amounts
  return open === 0 ? '0' : amountToText(divide(units(100 * (last - open)), units(open)))
}

/** GET /v2/pub/asset: the fee rates are those of the first pair that an asset is listed in. */
export const assets: EndpointHandler = ({ exchange, withdrawals }) => {
  const { minima, maxima } = withdrawals.settings
  const entries = listedAssets(exchange.markets).map((name, index) => {
    const [least, most] = [minima[name], maxima[name]]
    const listed = exchange.markets.find(({ instrument: { base, quote } }) => name === base || name === quote)
    return [
      name,
      {
        name,
        unified_cryptoasset_id: index + 1,
        can_withdraw: 1,
        can_deposit: 1,
        min_withdraw: least === undefined ? 0 : exactJsonNumber(amountToText(least)),
        max_withdraw: most === undefined ? NO_MAXIMUM : exactJsonNumber(amountToText(most)),
        maker_fee: listed && exactJsonNumber(amountToText(listed.instrument.fees.maker)),
        taker_fee: listed && exactJsonNumber(amountToText(listed.instrument.fees.taker)),
      },
    ] as const
  })
  return Object.fromEntries(entries)
}

/** GET /v2/pub/ticker: volume and turnover of the last trade, and of the last 24 hours. */
export const quotes: EndpointHandler = ({ exchange, now }) => {
  const ids = listedAssets(exchange.markets)
  const entries = exchange.markets.map(listed => {
    const { instrument, tape } = listed
    const day = listed.lastDay(now)
    const last = tape.trades().next().value
    const [price, quantity] = [last?.price ?? ticks(0), last?.quantity ?? NO_STEPS]
    return [
      pairCode(listed),
      {
        base_id: ids.indexOf(instrument.base) + 1,
        quote_id: ids.indexOf(instrument.quote) + 1,
        last_price: exactJsonNumber(amountToText(priceAmount(instrument, day?.last ?? ticks(0)))),
        base_volume: exactJsonNumber(quantityText(instrument, quantity)),
        quote_volume: exactJsonNumber(amountToText(notionalOf(instrument, price, quantity))),
        '24_base_volume': quantityText(instrument, day?.volume ?? NO_STEPS),
        '24_quote_volume': amountToText(day?.amount ?? ZERO),
      },
    ] as const
  })
  return Object.fromEntries(entries)
}

/** GET /v2/pub/orderbook */
export const feedOrderBook: EndpointHandler = call => {
  const { instrument, market } = feedMarketOf(call)
  const decimals = MERGE_DECIMALS[call.parameters.integer('depth') ?? 0]
  if (decimals === undefined) throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', 'depth')
  const side = (of: Side, count: number) =>
    mergedLevels(instrument, of, market.book.levels(of), decimals)
      .take(count)
      .map(({ price, quantity }) => [
        exactJsonNumber(priceText(instrument, price)),
        exactJsonNumber(quantityText(instrument, quantity)),
      ])
      .toArray()
  return {
    date: call.now,
    asks: side('sell', countOf(call, 'asks')),
    bids: side('buy', countOf(call, 'bids')),
  }
}

/** GET /v2/pub/trades, newest first. */
export const feedTrades: EndpointHandler = call => {
  const { instrument, tape } = feedMarketOf(call)
  return tape
    .trades()
    .take(countOf(call, 'trades'))
    .map(({ id, price, quantity, side, time }) => ({
      trade_id: id,
      price: exactJsonNumber(priceText(instrument, price)),
      base_volume: exactJsonNumber(quantityText(instrument, quantity)),
      quote_volume: exactJsonNumber(amountToText(notionalOf(instrument, price, quantity))),
      type: side === 'buy' ? 'BUY' : 'SELL',
      timestamp: time,
    }))
    .toArray()
}
