import type { Interval } from '../../../domain/market-data/interval.ts'
import { amountToText, divide, ZERO } from '../../../domain/numbers/amount.ts'
import { priceAmount, priceText, ticks } from '../../../domain/numbers/grid.ts'
import type { Side } from '../../../domain/orders/side.ts'
import type { EndpointHandler } from '../../incoming-call.ts'
import type { GridKline } from '../../prices/grid-kline.ts'
import type { JsonValue } from '../../protocol/json-text.ts'
import { quantityAt } from '../../spot/order-book.ts'
import type { Contract } from '../contract.ts'
import type { ListedContract } from '../listed-contract.ts'
import { contractOf } from './futures-call.ts'
import { exactNumberOf, priceNumber } from './wire-value.ts'

/** Wire names of the futures intervals (interface section 4.5): the hour is `1h` here. */
const INTERVAL_OF_NAME: ReadonlyMap<string, Interval> = new Map([
  ['1min', '1m'],
  ['5min', '5m'],
  ['15min', '15m'],
  ['30min', '30m'],
  ['1h', '1h'],
  ['1day', '1d'],
  ['1week', '1w'],
  ['1month', '1M'],
])

/** GET /fapi/v1/ping */
export const futuresPing: EndpointHandler = () => ({})

/** GET /fapi/v1/time */
export const futuresTime: EndpointHandler = ({ now }) => ({ serverTime: now, timezone: 'UTC' })

/** GET /fapi/v1/contracts */
export const contracts: EndpointHandler = ({ futures }) =>
  futures.contracts.map(({ contract }) => contractEntry(contract))

function contractEntry(contract: Contract): JsonValue {
  const { fees, leverage } = contract
  return {
    symbol: contract.name,
    contractId: contract.id,
    status: contract.isTrading ? 1 : 0,
    type: contract.type,
    side: 1,
    multiplier: exactNumberOf(contract.multiplier),
    multiplierCoin: contract.base,
    marginCoin: contract.quote,
    pricePrecision: contract.pricePrecision,
    minOrderVolume: contract.minOrderVolume,
    minOrderMoney: exactNumberOf(contract.minOrderMoney),
    maxMarketVolume: contract.maxMarketVolume,
    maxMarketMoney: exactNumberOf(contract.maxMarketMoney),
    maxLimitVolume: contract.maxLimitVolume,
    maxLimitMoney: exactNumberOf(contract.maxLimitMoney),
    maxValidOrder: contract.maxValidOrder,
    minLever: leverage.min,
    maxLever: leverage.max,
    openTakerFee: exactNumberOf(fees.open.taker),
    openMakerFee: exactNumberOf(fees.open.maker),
    closeTakerFee: exactNumberOf(fees.close.taker),
    closeMakerFee: exactNumberOf(fees.close.maker),
  }
}

/** GET /fapi/v1/depth: levels as text, volumes in contracts. */
export const futuresDepth: EndpointHandler = call => {
  const { contract, market } = contractOf(call)
  const limit = call.parameters.limit(100, 100)
  const side = (of: Side) =>
    market.book
      .levels(of)
      .take(limit)
      .map(level => [priceText(contract, level.price), String(quantityAt(level))])
      .toArray()
  return { bids: side('buy'), asks: side('sell'), time: call.now }
}

/** GET /fapi/v1/ticker */
export const futuresTicker: EndpointHandler = call => tickerEntry(contractOf(call), call.now)

/** GET /fapi/v1/ticker_all: keyed `e_btcusdt`. */
export const allTickers: EndpointHandler = ({ futures, now }) =>
  Object.fromEntries(
    futures.awakeContracts().map(listed => [tickerKey(listed.contract), tickerEntry(listed, now)]),
  )

function tickerKey({ type, base, quote }: Contract): string {
  return `${type}_${base}${quote}`.toLowerCase()
}

/** The last 24 hours; `vol` in contracts, `rose` a fraction. */
function tickerEntry(listed: ListedContract, now: number): JsonValue {
  const { contract, market } = listed
  const day = listed.lastDay(now)
  const text = (price = ticks(0)) => priceText(contract, price)
  return {
    high: text(day?.high),
    vol: String(day?.volume ?? 0),
    last: text(day?.last),
    low: text(day?.low),
    open: text(day?.open),
    buy: text(market.book.best('buy')?.price),
    sell: text(market.book.best('sell')?.price),
    rose: amountToText(
      day === undefined || day.open === 0
        ? ZERO
        : divide(priceAmount(contract, ticks(day.last - day.open)), priceAmount(contract, day.open)),
    ),
    time: now,
  }
}

/** GET /fapi/v1/index: the documented keys, and their names in sibling interfaces. */
export const futuresIndex: EndpointHandler = call => {
  const listed = contractOf(call)
  call.parameters.limit(100, 100)
  const { contract, mark, index } = listed
  return {
    markPrice: priceNumber(contract, mark),
    indexPrice: exactNumberOf(index),
    lastFundingRate: exactNumberOf(listed.lastFundingRate),
    contractName: contract.name,
    time: call.now,
    tagPrice: priceNumber(contract, mark),
    currentFundRate: exactNumberOf(listed.fundingRate),
    nextFundRate: exactNumberOf(listed.fundingRate),
    nextFundTime: listed.nextFundingAt,
  }
}

/** GET /fapi/v1/klines: the newest `limit` within the requested window; empty for an unsupported interval. */
export const futuresKlines: EndpointHandler = call => {
  const { parameters } = call
  const listed = contractOf(call)
  const interval = INTERVAL_OF_NAME.get(parameters.required('interval'))
  const from = parameters.integer('startTime') ?? Number.NEGATIVE_INFINITY
  const to = parameters.integer('endTime') ?? Number.POSITIVE_INFINITY
  const limit = parameters.limit(100, 300)
  if (interval === undefined) return []
  const list: GridKline[] = []
  for (const kline of listed.klines(interval, call.now)) {
    if (kline.openTime < from || list.length === limit) break
    if (kline.openTime <= to) list.push(kline)
  }
  return list.map(kline => klineEntry(listed.contract, kline))
}

function klineEntry(contract: Contract, { openTime, open, high, low, close, volume }: GridKline): JsonValue {
  return {
    high: priceText(contract, high),
    vol: String(volume),
    low: priceText(contract, low),
    idx: openTime,
    close: priceText(contract, close),
    open: priceText(contract, open),
  }
}
