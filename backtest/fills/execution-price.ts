import type { Kline } from '../../src/domain/market-data/kline.ts'
import type { Liquidity } from '../../src/domain/orders/fill.ts'
import type { FillRule } from '../models/fill-rule.ts'
import type { FillSettings } from '../models/fill-settings.ts'
import {
  adverseExtreme,
  enteredInside,
  favourableExtreme,
  isTouched,
  type ModelOrder,
  type PathOrder,
  startingLevel,
  trailedLevel,
} from './model-order.ts'

/** Price of an order's trade on a kline, quote per base, before slippage. */
export interface ExecutionPrice {
  /** Quote per base. */
  readonly price: number
  readonly liquidity: Liquidity
  /** The rule of the fill model that gave the price. */
  readonly rule: FillRule
}

/** Execution of an order at the open; `undefined` if it does not trade there. */
export function executionAtOpen(
  order: ModelOrder,
  kline: Kline,
  settings: FillSettings,
): ExecutionPrice | undefined {
  const { open } = kline
  if (order.request.spec.type === 'market') {
    const { purpose } = order.request
    const isClosed = purpose === 'endOfData' || purpose === 'ruin'
    return taken(open, isClosed ? 'positionClosed' : 'marketAtOpen')
  }
  if (order.isTriggered) return taken(open, 'triggeredRest')
  if (order.request.spec.type === 'stopLimit') return stopLimitAtOpen(order, open, settings)
  if (order.stopPrice !== undefined) {
    return reached(order, open, order.stopPrice) ? taken(open, 'stopAtOpen') : undefined
  }
  if (order.touchPrice !== undefined) return isTouched(order, open) ? taken(open, 'touchedAtOpen') : undefined
  return limitAtOpen(order, open, settings)
}

/**
 * Execution of an order after the open of a kline by the pessimistic rules; `undefined` if it does not trade.
 */
export function executionWithoutPath(
  order: ModelOrder,
  kline: Kline,
  settings: FillSettings,
): ExecutionPrice | undefined {
  if (order.request.spec.type === 'stopLimit') return stopLimitInside(order, kline, kline.close, settings)
  if (order.limitPrice === undefined) return stopInside(order, kline)
  return limitInside(order, kline, certainReach(order, kline), settings)
}

/**
 * Execution of a protective order that arrived inside a kline when the market was already beyond its price.
 */
export function executionOnArrival(
  order: ModelOrder,
  arrivedAt: number,
  settings: FillSettings,
): ExecutionPrice | undefined {
  const { stopPrice, limitPrice } = order
  const isBeyond =
    stopPrice === undefined
      ? limitPrice !== undefined && passes(order, arrivedAt, limitPrice, settings)
      : reached(order, arrivedAt, stopPrice)
  return isBeyond ? taken(arrivedAt, 'reachedOnArrival') : undefined
}

/** True if a kline's range reaches the stop price. */
export function touchesStop(order: PathOrder, kline: Kline): boolean {
  if (order.stopPrice === undefined) return false
  return order.isBuy ? kline.high >= order.stopPrice : kline.low <= order.stopPrice
}

/** Takes from the book at a price. */
export function taken(price: number, rule: FillRule): ExecutionPrice {
  return { price, liquidity: 'taker', rule }
}

/** Rested at a price. */
export function made(price: number, rule: FillRule): ExecutionPrice {
  return { price, liquidity: 'maker', rule }
}

/** True if `price` lies at or beyond a stop. */
export function reached({ isBuy }: PathOrder, price: number, stopPrice: number): boolean {
  return isBuy ? price >= stopPrice : price <= stopPrice
}

/** True if a price lies beyond a limit in the order's favour (`touch`: or on it). */
export function passes(
  { isBuy }: PathOrder,
  price: number,
  limit: number,
  { limitFill }: FillSettings,
): boolean {
  if (price === limit) return limitFill === 'touch'
  return isBuy ? price < limit : price > limit
}

function limitAtOpen(order: ModelOrder, open: number, settings: FillSettings): ExecutionPrice | undefined {
  const limit = order.limitPrice
  if (limit === undefined || !passes(order, open, limit, settings)) return undefined
  if (order.isNew) return order.kind === 'postOnly' ? undefined : taken(open, 'limitTakesAtOpen')
  return made(settings.gappedLimit === 'atOpen' ? open : limit, 'limitPassedByOpen')
}

/** At its level: an open beyond it was taken before. */
function stopInside(order: ModelOrder, kline: Kline): ExecutionPrice | undefined {
  const level = order.stopPrice
  if (level === undefined && order.trail === undefined) return touchInside(order, kline)
  if (level !== undefined && touchesStop(order, kline)) return taken(level, 'stopInside')
  const trailed = enteredInside(order) ? undefined : trailedLevel(order, kline)
  const reach = adverseExtreme(order, kline)
  if (trailed === undefined || !reached(order, reach, trailed)) return undefined
  // A stop that the kline itself starts may have been reached before it moved any further.
  const first = level === undefined ? startingLevel(order) : undefined
  return taken(first !== undefined && reached(order, reach, first) ? first : trailed, 'trailedInside')
}

/** At its trigger, which a kline cannot pass without trading at it. */
function touchInside(order: ModelOrder, kline: Kline): ExecutionPrice | undefined {
  const { touchPrice } = order
  if (touchPrice === undefined || !isTouched(order, favourableExtreme(order, kline))) return undefined
  return taken(touchPrice, 'touchedInside')
}

/** Execution of a limit order on a kline that certainly reaches `reach`. */
function limitInside(
  order: ModelOrder,
  kline: Kline,
  reach: number,
  settings: FillSettings,
): ExecutionPrice | undefined {
  const limit = order.limitPrice
  if (limit === undefined || !passes(order, reach, limit, settings)) return undefined
  const gapped = !enteredInside(order) && passes(order, kline.open, limit, settings)
  return made(gapped && settings.gappedLimit === 'atOpen' ? kline.open : limit, 'limitInside')
}

/**
 * The farthest price that the market certainly reached in an order's favour: the extreme, but only the close
 * after a limit entry inside the kline (a stop entry moves the same way as its take-profit).
 */
export function certainReach(order: ModelOrder, kline: Kline): number {
  return enteredInside(order) && order.entry?.spec !== 'stop' ? kline.close : favourableExtreme(order, kline)
}

function stopLimitAtOpen(
  order: ModelOrder,
  open: number,
  settings: FillSettings,
): ExecutionPrice | undefined {
  if (settings.stopLimit === 'atStopPrice' && order.stopPrice !== undefined) return undefined
  if (order.stopPrice !== undefined && !reached(order, open, order.stopPrice)) return undefined
  const wasResting = order.stopPrice === undefined
  order.stopPrice = undefined
  const execution = limitAtOpen(order, open, settings)
  return execution === undefined || wasResting ? execution : taken(open, 'stopAtOpen')
}

/** Execution of a stop-limit order after its trigger, where the price then reaches `reach`. */
function stopLimitInside(
  order: ModelOrder,
  kline: Kline,
  reach: number,
  settings: FillSettings,
): ExecutionPrice | undefined {
  const { stopPrice, limitPrice } = order
  if (order.triggeredInside || limitPrice === undefined) return undefined
  if (stopPrice === undefined) return limitInside(order, kline, favourableExtreme(order, kline), settings)
  if (!touchesStop(order, kline)) return undefined
  order.stopPrice = undefined
  order.triggeredInside = true
  const limitIsBeyond = order.isBuy ? limitPrice > stopPrice : limitPrice < stopPrice
  if (limitIsBeyond || (limitPrice === stopPrice && settings.stopLimit === 'gapAware')) {
    return settings.stopLimit === 'gapAware'
      ? taken(stopPrice, 'stopLimitTriggered')
      : stopLimitAsOnePrice(order, kline, stopPrice, limitPrice, settings)
  }
  return pullback(order, reach, limitPrice, settings)
}

/** The rule that ignores gaps: the better of stop and limit wherever the kline passes the limit at all. */
function stopLimitAsOnePrice(
  order: ModelOrder,
  kline: Kline,
  stopPrice: number,
  limitPrice: number,
  settings: FillSettings,
): ExecutionPrice | undefined {
  if (!passes(order, favourableExtreme(order, kline), limitPrice, settings)) return undefined
  const price = order.isBuy ? Math.min(stopPrice, limitPrice) : Math.max(stopPrice, limitPrice)
  return taken(price, 'stopLimitAsOnePrice')
}

/** A limit short of its stop waits for a pullback; inside the kline only the close proves one. */
function pullback(
  order: ModelOrder,
  reach: number,
  limitPrice: number,
  settings: FillSettings,
): ExecutionPrice | undefined {
  if (settings.stopLimit === 'atStopPrice' || !passes(order, reach, limitPrice, settings)) return undefined
  return made(limitPrice, 'stopLimitPullback')
}
