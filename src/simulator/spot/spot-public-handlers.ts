import type { Instrument } from '../../domain/instrument.ts'
import type { Interval } from '../../domain/market-data/interval.ts'
import { type Amount, amountToText, divide, ZERO } from '../../domain/numbers/amount.ts'
import {
  NO_STEPS,
  priceAmount,
  priceText,
  quantityText,
  ticks,
  UNLIMITED_QUANTITY,
} from '../../domain/numbers/grid.ts'
import type { Side } from '../../domain/orders/side.ts'
import type { EndpointHandler, IncomingCall } from '../incoming-call.ts'
import { isZoned, readTimezone, zonedKlines } from '../markets/kline-timezone.ts'
import type { TapeSummary } from '../prices/day-window.ts'
import type { GridKline } from '../prices/grid-kline.ts'
import type { JsonValue } from '../protocol/json-text.ts'
import type { ListedMarket } from './listed-market.ts'
import { type BookLevel, quantityAt } from './order-book.ts'

/** Wire names of the spot intervals (interface section 4.1). */
const INTERVAL_OF_NAME: ReadonlyMap<string, Interval> = new Map([
  ['1min', '1m'],
  ['5min', '5m'],
  ['15min', '15m'],
  ['30min', '30m'],
  ['60min', '1h'],
  ['1day', '1d'],
  ['1week', '1w'],
  ['1month', '1M'],
])

/** The concatenated spelling of a symbol in public answers. */
function lowerSymbol({ base, quote }: Instrument): string {
  return `${base}${quote}`.toLowerCase()
}

/** GET /sapi/v2/ping */
export const ping: EndpointHandler = () => ({})

/** GET /sapi/v2/time */
export const time: EndpointHandler = ({ now }) => ({ timezone: 'UTC', serverTime: now })

/** GET /sapi/v2/symbols */
export const symbols: EndpointHandler = ({ exchange }) => ({
  symbols: exchange.markets
    .filter(({ live, rules }) => live === undefined || rules.isTrading || !live.hasFirstGrid)
    .map(({ instrument, live }) => ({ ...symbolEntry(instrument), ...live?.listedGrid })),
})

function symbolEntry(instrument: Instrument) {
  const { base, quote, symbol, pricePrecision, quantityPrecision, minNotional, fees } = instrument
  const minVolume = quantityText(instrument, instrument.minQuantity)
  return {
    symbol: lowerSymbol(instrument),
    baseAsset: base,
    quoteAsset: quote,
    pricePrecision,
    quantityPrecision,
    limitAmountMin: amountToText(minNotional),
    limitPriceMin: priceText(instrument, instrument.minPrice),
    limitVolumeMin: minVolume,
    ...(instrument.maxQuantity < UNLIMITED_QUANTITY && {
      limitVolumeMax: quantityText(instrument, instrument.maxQuantity),
    }),
    marketBuyMin: amountToText(minNotional),
    marketSellMin: minVolume,
    baseAssetName: base,
    quoteAssetName: quote,
    SymbolName: symbol,
    feeRateMaker: amountToText(fees.maker),
    feeRateTaker: amountToText(fees.taker),
  }
}

/** GET /sapi/v2/depth */
export const spotDepth: EndpointHandler = ({ exchange, parameters, now }) => {
  const { instrument, market } = exchange.marketOf(parameters.text('symbol'))
  const limit = parameters.limit(100, 100)
  const side = (of: Side) =>
    market.book
      .levels(of)
      .take(limit)
      .map(level => [priceText(instrument, level.price), quantityText(instrument, quantityAt(level))])
      .toArray()
  return { bids: side('buy'), asks: side('sell'), time: now }
}

/** GET /sapi/v2/ticker: one object for `symbol`, an array for `symbols` or for all. */
export const spotTicker: EndpointHandler = ({ exchange, parameters, now }) => {
  const symbol = parameters.text('symbol')
  if (symbol !== undefined) return tickerEntry(exchange.marketOf(symbol), now)
  const listed = parameters.text('symbols')
  const markets =
    listed === undefined ? exchange.markets : listed.split(',').map(name => exchange.marketOf(name.trim()))
  return markets.map(market => tickerEntry(market, now))
}

/** `time` opens the 24 hours summed up; `rose` is a fraction. */
function tickerEntry(listed: ListedMarket, now: number): JsonValue {
  const { instrument, market } = listed
  const day = listed.lastDay(now) ?? emptyDay(now)
  return {
    symbol: lowerSymbol(instrument),
    time: day.time,
    open: priceText(instrument, day.open),
    high: priceText(instrument, day.high),
    low: priceText(instrument, day.low),
    last: priceText(instrument, day.last),
    vol: quantityText(instrument, day.volume),
    amount: amountToText(day.amount),
    rose: amountToText(riseOf(instrument, day)),
    ...bestEntry(instrument, market.book.best('buy'), 'bid'),
    ...bestEntry(instrument, market.book.best('sell'), 'ask'),
  }
}

/** A market that has not begun. */
function emptyDay(now: number): TapeSummary {
  const price = ticks(0)
  return { time: now, open: price, high: price, low: price, last: price, volume: NO_STEPS, amount: ZERO }
}

function riseOf(instrument: Instrument, { open, last }: TapeSummary): Amount {
  return open === 0
    ? ZERO
    : divide(priceAmount(instrument, ticks(last - open)), priceAmount(instrument, open))
}

function bestEntry(instrument: Instrument, level: BookLevel | undefined, side: 'bid' | 'ask') {
  return {
    [`${side}Price`]: level === undefined ? '0' : priceText(instrument, level.price),
    [`${side}Volume`]: level === undefined ? '0' : quantityText(instrument, quantityAt(level)),
  }
}

/** GET /sapi/v2/trades */
export const spotTrades: EndpointHandler = ({ exchange, parameters }) => {
  const { instrument, tape } = exchange.marketOf(parameters.text('symbol'))
  const latest = tape.trades().take(parameters.limit(100, 1000))
  const list = latest.map(trade => ({
    price: priceText(instrument, trade.price),
    time: trade.time,
    qty: quantityText(instrument, trade.quantity),
    side: trade.side === 'buy' ? 'BUY' : 'SELL',
    id: trade.id,
    symbol: instrument.symbol,
  }))
  return { list: list.toArray() }
}

/**
 * GET /sapi/v2/klines: the newest `limit` within the requested window, days and longer beginning at midnight
 * of `timezone`; empty for an unsupported interval.
 */
export const spotKlines: EndpointHandler = ({ exchange, parameters, now }: IncomingCall) => {
  const market = exchange.marketOf(parameters.text('symbol'))
  const interval = INTERVAL_OF_NAME.get(parameters.required('interval'))
  const from = parameters.integer('startTime') ?? Number.NEGATIVE_INFINITY
  const to = parameters.integer('endTime') ?? Number.POSITIVE_INFINITY
  const limit = parameters.limit(100, 300)
  const offset = readTimezone(parameters)
  if (interval === undefined) return []
  const series =
    offset !== 0 && isZoned(interval)
      ? zonedKlines(market.klines('1h', now), interval, offset)
      : market.klines(interval, now)
  const list: GridKline[] = []
  for (const kline of series) {
    if (kline.openTime < from || list.length === limit) break
    if (kline.openTime <= to) list.push(kline)
  }
  return list.map(kline => klineEntry(market.instrument, kline))
}

function klineEntry(instrument: Instrument, kline: GridKline): JsonValue {
  return {
    high: priceText(instrument, kline.high),
    vol: quantityText(instrument, kline.volume),
    low: priceText(instrument, kline.low),
    idx: kline.openTime,
    close: priceText(instrument, kline.close),
    open: priceText(instrument, kline.open),
  }
}
