import type { Kline } from '../../src/domain/market-data/kline.ts'
import type { Liquidity } from '../../src/domain/orders/fill.ts'
import type { FillRule } from '../models/fill-rule.ts'
import type { FillSettings } from '../models/fill-settings.ts'
import {
  adverseExtreme,
  enteredInside,
  favourableExtreme,
  type ModelOrder,
  type PathOrder,
  RANKS,
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

/** Stands for the price that an order does not have: no price reaches it. */
export const NO_PRICE = Number.NaN

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
  if (order.touchPrice !== undefined)
    return touched(order, open, order.touchPrice) ? taken(open, 'touchedAtOpen') : undefined
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
  const { limitPrice } = order
  if (limitPrice === undefined) return stopInside(order, kline)
  if (order.request.spec.type === 'stopLimit') return stopLimitInside(order, kline, limitPrice, settings)
  return limitInside(order, kline, limitPrice, certainReach(order, kline), settings)
}

/**
 * Execution of a protective order that arrived inside a kline when the market was already beyond its price.
 */
export function executionOnArrival(
  order: ModelOrder,
  arrivedAt: number,
  settings: FillSettings,
): ExecutionPrice | undefined {
  const { stopPrice, limitPrice = NO_PRICE } = order
  const isBeyond =
    stopPrice === undefined
      ? passes(order, arrivedAt, limitPrice, settings)
      : reached(order, arrivedAt, stopPrice)
  return isBeyond ? taken(arrivedAt, 'reachedOnArrival') : undefined
}

/** True if a kline's range reaches the stop price. */
export function touchesStop(order: PathOrder, kline: Kline): boolean {
  return reached(order, adverseExtreme(order, kline), order.stopPrice ?? NO_PRICE)
}

/** Takes from the book at a price. */
export function taken(price: number, rule: FillRule): ExecutionPrice {
  return { price, liquidity: 'taker', rule }
}

/**
 * A limit order trades at its price, or at an open beyond it: it rested there. A take-profit never rests: live the bot sends it once
 * the price is there, so it takes.
 */
export function atLimit({ rank }: PathOrder, price: number, rule: FillRule): ExecutionPrice {
  return { price, liquidity: rank === RANKS.takeProfit ? 'taker' : 'maker', rule }
}

/** True if `price` lies at or beyond a stop. */
export function reached({ isBuy }: PathOrder, price: number, stopPrice: number): boolean {
  return isBuy ? price >= stopPrice : price <= stopPrice
}

/** True if a price lies at or beyond the trigger of an if-touched order. */
export function touched({ isBuy }: PathOrder, price: number, touchPrice: number): boolean {
  return isBuy ? price <= touchPrice : price >= touchPrice
}

/** True if a limit allows a trade at a price. */
export function allows({ isBuy }: PathOrder, limit: number, price: number): boolean {
  return isBuy ? price <= limit : price >= limit
}

/** True if a price lies beyond a limit in the order's favour (`touch`: or on it). */
export function passes(
  { isBuy }: PathOrder,
  price: number,
  limit: number,
  { limitFill }: FillSettings,
): boolean {
  if (limitFill === 'touch') return isBuy ? price <= limit : price >= limit
  return isBuy ? price < limit : price > limit
}

function limitAtOpen(order: ModelOrder, open: number, settings: FillSettings): ExecutionPrice | undefined {
  const { limitPrice: limit = NO_PRICE } = order
  if (!passes(order, open, limit, settings)) return undefined
  if (order.isNew) return order.kind === 'postOnly' ? undefined : taken(open, 'limitTakesAtOpen')
  return atLimit(order, settings.gappedLimit === 'atOpen' ? open : limit, 'limitPassedByOpen')
}

/** At its level: an open beyond it was taken before. */
function stopInside(order: ModelOrder, kline: Kline): ExecutionPrice | undefined {
  const level = order.stopPrice
  if (level === undefined && order.trail === undefined) return touchInside(order, kline)
  if (level !== undefined && touchesStop(order, kline)) return taken(level, 'stopInside')
  const trailed = enteredInside(order) ? undefined : trailedLevel(order, kline)
  const reach = adverseExtreme(order, kline)
  if (trailed === undefined || !reached(order, reach, trailed)) return undefined
  // A stop that the kline itself starts may have been reached before it moved any further. One that had started before is
  // nearer than where it started, and was not reached.
  const first = startingLevel(order) ?? trailed
  return taken(reached(order, reach, first) ? first : trailed, 'trailedInside')
}

/** At its trigger, which a kline cannot pass without trading at it. */
function touchInside(order: ModelOrder, kline: Kline): ExecutionPrice | undefined {
  const { touchPrice = NO_PRICE } = order
  return touched(order, favourableExtreme(order, kline), touchPrice)
    ? taken(touchPrice, 'touchedInside')
    : undefined
}

/** Execution of a limit order on a kline that certainly reaches `reach`. */
function limitInside(
  order: ModelOrder,
  kline: Kline,
  limit: number,
  reach: number,
  settings: FillSettings,
): ExecutionPrice | undefined {
  if (!passes(order, reach, limit, settings)) return undefined
  const gapped = !enteredInside(order) && passes(order, kline.open, limit, settings)
  return atLimit(order, gapped && settings.gappedLimit === 'atOpen' ? kline.open : limit, 'limitInside')
}

/**
 * The farthest price that the market certainly reached in an order's favour: the extreme, but only the close
 * after a limit entry inside the kline (a stop entry moves the same way as its take-profit).
 */
export function certainReach(order: ModelOrder, kline: Kline): number {
  const { entry } = order
  const isCloseOnly = entry !== undefined && !entry.atOpen && entry.spec !== 'stop'
  return isCloseOnly ? kline.close : favourableExtreme(order, kline)
}

function stopLimitAtOpen(
  order: ModelOrder,
  open: number,
  settings: FillSettings,
): ExecutionPrice | undefined {
  const { stopPrice, limitPrice = NO_PRICE } = order
  if (stopPrice === undefined) return limitAtOpen(order, open, settings)
  if (settings.stopLimit === 'atStopPrice' || !reached(order, open, stopPrice)) return undefined
  order.stopPrice = undefined
  return allows(order, limitPrice, open) ? taken(open, 'stopAtOpen') : undefined
}

/** Execution of a stop-limit order inside a kline, of which only the close certainly follows the trigger. */
function stopLimitInside(
  order: ModelOrder,
  kline: Kline,
  limitPrice: number,
  settings: FillSettings,
): ExecutionPrice | undefined {
  const { stopPrice } = order
  if (order.triggeredInside) return undefined
  if (stopPrice === undefined)
    return limitInside(order, kline, limitPrice, favourableExtreme(order, kline), settings)
  if (!touchesStop(order, kline)) return undefined
  order.stopPrice = undefined
  order.triggeredInside = true
  const limitIsBeyond = order.isBuy ? limitPrice > stopPrice : limitPrice < stopPrice
  if (limitIsBeyond || (limitPrice === stopPrice && settings.stopLimit === 'gapAware')) {
    return settings.stopLimit === 'gapAware'
      ? taken(stopPrice, 'stopLimitTriggered')
      : stopLimitAsOnePrice(order, kline, stopPrice, limitPrice, settings)
  }
  return pullback(order, kline.close, limitPrice, settings)
}

/** The rule that ignores gaps: the stop, better than the limit, wherever the kline passes that at all. */
function stopLimitAsOnePrice(
  order: ModelOrder,
  kline: Kline,
  stopPrice: number,
  limitPrice: number,
  settings: FillSettings,
): ExecutionPrice | undefined {
  if (!passes(order, favourableExtreme(order, kline), limitPrice, settings)) return undefined
  return taken(stopPrice, 'stopLimitAsOnePrice')
}

/** A limit short of its stop waits for a pullback; inside the kline only the close proves one. */
function pullback(
  order: ModelOrder,
  close: number,
  limitPrice: number,
  settings: FillSettings,
): ExecutionPrice | undefined {
  if (settings.stopLimit === 'atStopPrice' || !passes(order, close, limitPrice, settings)) return undefined
  return atLimit(order, limitPrice, 'stopLimitPullback')
}
