import { NO_STEPS, priceOf, type Steps, steps } from '../src/domain/grid.ts'
import type { Instrument } from '../src/domain/instrument.ts'
import type { Kline } from '../src/domain/kline.ts'
import type { LimitKind, OrderRequest } from '../src/domain/order-request.ts'

/** How the entry that a protective order belongs to was filled on the current kline, or the order that it was placed after. */
export interface EntryOnThisKline {
  readonly spec: OrderRequest['spec']['type']
  /** At the open, so that the whole kline lies ahead. */
  readonly atOpen: boolean
  /** Where the market was when the order came after the fill of another; it may be beyond the order's price already. */
  readonly arrivedAt?: number
}

/** Which orders trade first on the same part of a kline; those of one rank trade as they were placed. */
export const RANKS = { market: 0, protectiveStop: 1, other: 2, takeProfit: 3 } as const

/** An order resting in the fill model. Prices are doubles of exact ticks, to be compared with a kline's. */
export interface ModelOrder {
  readonly request: OrderRequest
  readonly isBuy: boolean
  /** One of `RANKS`. */
  rank: number
  /** When it can trade first, ms UTC. */
  readonly liveAt: number
  /** What is still to be filled. */
  quantity: Steps
  filledQuantity: Steps
  /** Price that triggers a stop; `undefined` once triggered, and for orders without one. */
  stopPrice: number | undefined
  /** Price that triggers an order that trades if touched; `undefined` once triggered, and for orders without one. */
  touchPrice: number | undefined
  /** What a limit order may not do; `undefined` where it may all, and once it has seen its first open. */
  kind: LimitKind | undefined
  /** A stop-limit order that was triggered after the open of the current kline, so that only a part of it lies ahead. */
  triggeredInside: boolean
  /** A stop that was reached, with a rest that waits for volume: it trades at the next open. */
  isTriggered: boolean
  /** Limit price; `undefined` for market and stop orders. */
  readonly limitPrice: number | undefined
  /** Placed after the previous kline closed, so that its first chance to trade is the open. */
  isNew: boolean
  /** For protective orders, on the kline of their entry only. */
  entry: EntryOnThisKline | undefined
  /** For trailing stops. */
  trail: Trail | undefined
}

/** What a trailing stop follows. */
export interface Trail {
  /** Best price since entry. */
  best: number
  /** The same before the current kline. */
  bestBefore: number
  readonly distance: number
}

/** A new order. */
export function modelOrder(
  instrument: Instrument,
  request: OrderRequest,
  entry: EntryOnThisKline | undefined,
  liveAt: number,
): ModelOrder {
  const { spec } = request
  const isBuy = request.side === 'buy'
  const trail = trailOf(instrument, request)
  return {
    request,
    isBuy,
    rank: rankOf(request),
    liveAt,
    quantity: request.quantity,
    filledQuantity: NO_STEPS,
    stopPrice:
      spec.type === 'stop' || spec.type === 'stopLimit'
        ? priceOf(instrument, spec.stopPrice)
        : trailLevel(isBuy, trail),
    limitPrice:
      spec.type === 'limit' || spec.type === 'stopLimit' ? priceOf(instrument, spec.price) : undefined,
    touchPrice: spec.type === 'ifTouched' ? priceOf(instrument, spec.triggerPrice) : undefined,
    kind: spec.type === 'limit' ? spec.kind : undefined,
    triggeredInside: false,
    isTriggered: false,
    isNew: true,
    entry,
    trail,
  }
}

function trailOf(instrument: Instrument, { spec }: OrderRequest): Trail | undefined {
  if (spec.type !== 'trailingStop') return undefined
  const best = priceOf(instrument, spec.anchor)
  return { best, bestBefore: best, distance: priceOf(instrument, spec.distance) }
}

function rankOf({ spec, purpose }: OrderRequest): number {
  if (spec.type === 'market') return RANKS.market
  if (purpose === 'stopLoss' || purpose === 'trailingStop') return RANKS.protectiveStop
  return purpose === 'takeProfit' ? RANKS.takeProfit : RANKS.other
}

/** Whether the entry filled somewhere inside the current kline, so that only a part of it lies ahead. */
export function enteredInside(order: ModelOrder): boolean {
  return order.entry !== undefined && !order.entry.atOpen
}

/** Moves a trailing stop after a kline: the best price is its extreme, or its close where the entry came inside it. */
export function trailAfter(order: ModelOrder, kline: Kline): void {
  if (order.trail === undefined) return
  advanceTrail(order, enteredInside(order) ? kline.close : favourableExtreme(order, kline))
  order.trail.bestBefore = order.trail.best
}

/** Moves a trailing stop to where it is once the price was at `price`. */
export function advanceTrail(order: ModelOrder, price: number): void {
  if (order.trail === undefined) return
  order.trail.best = better(order, order.trail.best, price)
  order.stopPrice = trailLevel(order.isBuy, order.trail)
}

/** Level of a trailing stop once the kline's extreme in its favour has been reached. */
export function trailedLevel(order: ModelOrder, kline: Kline): number | undefined {
  if (order.trail === undefined) return undefined
  const best = better(order, order.trail.best, favourableExtreme(order, kline))
  return trailLevel(order.isBuy, { best, distance: order.trail.distance })
}

/** How far a kline goes towards where a limit order fills: the low for who buys, the high for who sells. */
export function favourableExtreme({ isBuy }: ModelOrder, { low, high }: Kline): number {
  return isBuy ? low : high
}

/** How far a kline goes towards where a stop order triggers. */
export function adverseExtreme({ isBuy }: ModelOrder, { low, high }: Kline): number {
  return isBuy ? high : low
}

/** Prices between which nothing rests, both exclusive. */
export interface QuietRange {
  floor: number
  ceiling: number
}

/**
 * Narrows a range to where an order certainly neither trades nor changes; `false` where there is no such range, since it
 * trades at any price, trails it, or still has to see a kline.
 */
export function staysQuiet(order: ModelOrder, range: QuietRange): boolean {
  const level = order.stopPrice ?? order.limitPrice ?? order.touchPrice
  if (level === undefined || order.trail !== undefined) return false
  if (order.isNew || order.entry !== undefined || order.triggeredInside) return false
  // A stop waits on the far side of the price, a limit or what trades if touched on the near side.
  if (order.isBuy === (order.stopPrice !== undefined)) range.ceiling = Math.min(range.ceiling, level)
  else range.floor = Math.max(range.floor, level)
  return true
}

/** Whether a price lies at or beyond the one that triggers an order that trades if touched. */
export function isTouched({ isBuy, touchPrice }: ModelOrder, price: number): boolean {
  return touchPrice !== undefined && (isBuy ? price <= touchPrice : price >= touchPrice)
}

/** Whether an order waits for a price that makes it another one. */
export function waitsForTrigger({ stopPrice, touchPrice }: ModelOrder): boolean {
  return stopPrice !== undefined || touchPrice !== undefined
}

/** Notes that a stop's price was reached, but for which there was not enough volume: from now on it is a market (or limit) order. */
export function triggerStop(order: ModelOrder): void {
  order.isTriggered = order.limitPrice === undefined
  if (order.isTriggered && order.rank === RANKS.other) order.rank = RANKS.market
  order.stopPrice = undefined
  order.touchPrice = undefined
  order.trail = undefined
}

/** Notes a fill of a part. */
export function keepRest(order: ModelOrder, filled: Steps): void {
  order.quantity = steps(order.quantity - filled)
  order.filledQuantity = steps(order.filledQuantity + filled)
  if (waitsForTrigger(order)) triggerStop(order)
}

function better({ isBuy }: ModelOrder, left: number, right: number): number {
  return isBuy ? Math.min(left, right) : Math.max(left, right)
}

function trailLevel(
  isBuy: boolean,
  trail: { readonly best: number; readonly distance: number } | undefined,
): number | undefined {
  if (trail === undefined) return undefined
  return isBuy ? trail.best + trail.distance : trail.best - trail.distance
}
