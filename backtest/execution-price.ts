import type { Liquidity } from '../src/domain/fill.ts'
import type { Kline } from '../src/domain/kline.ts'
import type { FillSettings } from './fill-settings.ts'
import { enteredInside, type ModelOrder, trailedLevel } from './model-order.ts'

/** Where an order trades on a kline, before slippage. */
export interface Execution {
  /** Quote per base. */
  readonly price: number
  readonly liquidity: Liquidity
}

/** Where an order trades at the open, if it does. */
export function executionAtOpen(
  order: ModelOrder,
  { open }: Kline,
  settings: FillSettings,
): Execution | undefined {
  if (order.request.spec.type === 'market') return { price: open, liquidity: 'taker' }
  if (order.request.spec.type === 'stopLimit') return stopLimitAtOpen(order, open, settings)
  if (order.stopPrice !== undefined) {
    return reached(order, open, order.stopPrice) ? { price: open, liquidity: 'taker' } : undefined
  }
  return limitAtOpen(order, open, settings)
}

/** Where an order trades after the open of a kline, if it does. */
export function executionInside(
  order: ModelOrder,
  kline: Kline,
  settings: FillSettings,
): Execution | undefined {
  if (order.request.spec.type === 'stopLimit') return stopLimitInside(order, kline, settings)
  return order.limitPrice === undefined ? stopInside(order, kline) : limitInside(order, kline, settings)
}

/** Whether a kline's range reaches a stop price. */
export function touchesStop(order: ModelOrder, kline: Kline): boolean {
  if (order.stopPrice === undefined) return false
  return order.isBuy ? kline.high >= order.stopPrice : kline.low <= order.stopPrice
}

/** Whether `price` lies at or beyond a stop. */
function reached({ isBuy }: ModelOrder, price: number, stopPrice: number): boolean {
  return isBuy ? price >= stopPrice : price <= stopPrice
}

/** Whether a price lies beyond a limit in the order's favour (`touch`: or on it). */
function passes({ isBuy }: ModelOrder, price: number, limit: number, { limitFill }: FillSettings): boolean {
  if (price === limit) return limitFill === 'touch'
  return isBuy ? price < limit : price > limit
}

function limitAtOpen(order: ModelOrder, open: number, settings: FillSettings): Execution | undefined {
  const limit = order.limitPrice
  if (limit === undefined || !passes(order, open, limit, settings)) return undefined
  if (order.isNew) return { price: open, liquidity: 'taker' }
  return { price: settings.gappedLimit === 'atOpen' ? open : limit, liquidity: 'maker' }
}

/** At its level: an open beyond it was taken before. */
function stopInside(order: ModelOrder, kline: Kline): Execution | undefined {
  const level = order.stopPrice
  if (level === undefined) return undefined
  if (touchesStop(order, kline)) return { price: level, liquidity: 'taker' }
  const trailed = enteredInside(order) ? undefined : trailedLevel(order, kline)
  if (trailed === undefined || !reached(order, order.isBuy ? kline.high : kline.low, trailed))
    return undefined
  return { price: trailed, liquidity: 'taker' }
}

function limitInside(order: ModelOrder, kline: Kline, settings: FillSettings): Execution | undefined {
  const limit = order.limitPrice
  const reach = enteredInside(order) ? certainReach(order, kline) : order.isBuy ? kline.low : kline.high
  if (limit === undefined || !passes(order, reach, limit, settings)) return undefined
  const gapped = !enteredInside(order) && passes(order, kline.open, limit, settings)
  return { price: gapped && settings.gappedLimit === 'atOpen' ? kline.open : limit, liquidity: 'maker' }
}

/**
 * How far the price certainly went in a take-profit's favour after an entry inside the kline: to the extreme after a
 * stop entry (which moves the same way), only to the close after a limit entry.
 */
function certainReach(order: ModelOrder, kline: Kline): number {
  if (order.entry?.spec !== 'stop') return kline.close
  return order.isBuy ? kline.low : kline.high
}

function stopLimitAtOpen(order: ModelOrder, open: number, settings: FillSettings): Execution | undefined {
  if (settings.stopLimit === 'atStopPrice' && order.stopPrice !== undefined) return undefined
  if (order.stopPrice !== undefined && !reached(order, open, order.stopPrice)) return undefined
  const wasResting = order.stopPrice === undefined
  order.stopPrice = undefined
  const execution = limitAtOpen(order, open, settings)
  return execution === undefined || wasResting ? execution : { price: open, liquidity: 'taker' }
}

function stopLimitInside(order: ModelOrder, kline: Kline, settings: FillSettings): Execution | undefined {
  const { stopPrice, limitPrice } = order
  if (order.triggeredInside || limitPrice === undefined) return undefined
  if (stopPrice === undefined) return limitInside(order, kline, settings)
  if (!touchesStop(order, kline)) return undefined
  order.stopPrice = undefined
  order.triggeredInside = true
  const limitIsBeyond = order.isBuy ? limitPrice > stopPrice : limitPrice < stopPrice
  if (limitIsBeyond || (limitPrice === stopPrice && settings.stopLimit === 'gapAware')) {
    return settings.stopLimit === 'gapAware'
      ? { price: stopPrice, liquidity: 'taker' }
      : stopLimitAsOnePrice(order, kline, stopPrice, limitPrice, settings)
  }
  return certainPullback(order, kline, limitPrice, settings)
}

/** The rule that ignores gaps: the better of stop and limit wherever the kline passes the limit at all. */
function stopLimitAsOnePrice(
  order: ModelOrder,
  kline: Kline,
  stopPrice: number,
  limitPrice: number,
  settings: FillSettings,
): Execution | undefined {
  if (!passes(order, order.isBuy ? kline.low : kline.high, limitPrice, settings)) return undefined
  return {
    price: order.isBuy ? Math.min(stopPrice, limitPrice) : Math.max(stopPrice, limitPrice),
    liquidity: 'taker',
  }
}

/** A limit short of its stop waits for the price to come back; inside the kline only the close proves that it did. */
function certainPullback(
  order: ModelOrder,
  kline: Kline,
  limitPrice: number,
  settings: FillSettings,
): Execution | undefined {
  if (settings.stopLimit === 'atStopPrice' || !passes(order, kline.close, limitPrice, settings))
    return undefined
  return { price: limitPrice, liquidity: 'maker' }
}
