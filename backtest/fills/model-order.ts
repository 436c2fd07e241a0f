import type { Instrument } from '../../src/domain/instrument.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { NO_STEPS, priceOf, roundToTicks, type Steps, steps } from '../../src/domain/numbers/grid.ts'
import type { LimitKind, OrderRequest } from '../../src/domain/orders/order-request.ts'
import { betterPrice, trailingLevel } from '../../src/domain/orders/trailing-stop.ts'

/**
 * Origin of a protective order that came on the current kline: the spec of its entry, or of the order whose
 * fill preceded it.
 */
export interface EntryOnThisKline {
  readonly spec: OrderRequest['spec']['type']
  /** True at the open, so that the whole kline lies ahead. */
  readonly atOpen: boolean
  /**
   * The market's price when the order came after the fill of another, quote per base; it may already be
   * beyond the order's price.
   */
  readonly arrivedAt?: number
}

/** Which orders trade first on the same part of a kline; those of one rank trade as they were placed. */
export const RANKS = { market: 0, protectiveStop: 1, other: 2, takeProfit: 3 } as const

/** An order as far as a price meets it. Prices are doubles of exact ticks, to be compared with a kline's. */
export interface PathOrder {
  readonly isBuy: boolean
  /** True if the order may only close the position. */
  readonly reduceOnly: boolean
  /** One of `RANKS`. */
  rank: number
  /** When it can trade first, ms UTC. */
  liveAt: number
  /** Remaining quantity. */
  quantity: Steps
  filledQuantity: Steps
  /** Price that triggers a stop; `undefined` once triggered, and for orders without one. */
  stopPrice: number | undefined
  /** Price that triggers an order that trades if touched; `undefined` once triggered, and for orders without one. */
  touchPrice: number | undefined
  /**
   * True for a stop-limit order triggered after the open of the current kline, so that only a part of it lies
   * ahead.
   */
  triggeredInside: boolean
  /** A stop that was reached, with a rest that waits for volume: it trades at the next open. */
  isTriggered: boolean
  /** Limit price; `undefined` for market and stop orders. */
  readonly limitPrice: number | undefined
  /** Placed after the previous kline closed, so that its first chance to trade is the open. */
  isNew: boolean
  /** For trailing stops. */
  trail: Trail | undefined
}

/** An order resting in the fill model. */
export interface ModelOrder extends PathOrder {
  readonly request: OrderRequest
  /**
   * Restriction of a limit order (post-only, IOC, FOK); `undefined` without one, and after its first open.
   */
  kind: LimitKind | undefined
  /** For protective orders, on the kline of their entry only. */
  entry: EntryOnThisKline | undefined
  /** True until it is sent, where it may open a position and waits for the market exits of its side, as in a bot. */
  isHeld: boolean
}

/** State of a trailing stop. */
export interface Trail {
  /** Best price since entry. */
  best: number
  /** The same before the current kline. */
  bestBefore: number
  /** Level of the stop once the best price is `best`; `undefined` before its activation. */
  readonly levelAt: (best: number) => number | undefined
  /** The price at which it starts; `undefined` where it works from its entry on. */
  readonly activation: number | undefined
  /**
   * Where its entry filled inside a kline: the best prices since then by the paths that give least and most, until the price has been
   * beyond both.
   */
  range: BestRange | undefined
}

/** Best prices of a trailing stop, quote per base. */
export interface BestRange {
  readonly least: number
  readonly most: number
}

/** A new order. */
export function modelOrder(
  instrument: Instrument,
  request: OrderRequest,
  entry: EntryOnThisKline | undefined,
  liveAt: number,
): ModelOrder {
  return newOrder(instrument, request, liveAt, request, entry)
}

/** The parts of a request that decide its trade price. */
export type Placing = Pick<OrderRequest, 'side' | 'spec' | 'purpose' | 'quantity' | 'reduceOnly'>

/** A new order, as far as a price meets it. */
export function pathOrder(instrument: Instrument, placing: Placing, liveAt: number): PathOrder {
  return newOrder(instrument, placing, liveAt, undefined, undefined)
}

/** All fields in one literal: fields that are added to an object afterwards cost more than the rest of it. */
function newOrder<Request extends OrderRequest | undefined>(
  instrument: Instrument,
  placing: Placing,
  liveAt: number,
  request: Request,
  entry: EntryOnThisKline | undefined,
): Omit<ModelOrder, 'request'> & { readonly request: Request } {
  const { spec, side, quantity, reduceOnly } = placing
  const trail = trailOf(instrument, placing)
  return {
    isBuy: side === 'buy',
    reduceOnly,
    rank: rankOf(placing),
    liveAt,
    quantity,
    filledQuantity: NO_STEPS,
    stopPrice: stopPriceOf(instrument, spec, trail),
    limitPrice: limitPriceOf(instrument, spec),
    touchPrice: touchPriceOf(instrument, spec),
    triggeredInside: false,
    isTriggered: false,
    isNew: true,
    trail,
    request,
    kind: spec.type === 'limit' ? spec.kind : undefined,
    entry,
    isHeld: false,
  }
}

function stopPriceOf(
  instrument: Instrument,
  spec: OrderRequest['spec'],
  trail: Trail | undefined,
): number | undefined {
  return spec.type === 'stop' || spec.type === 'stopLimit'
    ? priceOf(instrument, spec.stopPrice)
    : trail?.levelAt(trail.best)
}

function limitPriceOf(instrument: Instrument, spec: OrderRequest['spec']): number | undefined {
  return spec.type === 'limit' || spec.type === 'stopLimit' ? priceOf(instrument, spec.price) : undefined
}

function touchPriceOf(instrument: Instrument, spec: OrderRequest['spec']): number | undefined {
  return spec.type === 'ifTouched' ? priceOf(instrument, spec.triggerPrice) : undefined
}

function trailOf(instrument: Instrument, { spec, side }: Placing): Trail | undefined {
  if (spec.type !== 'trailingStop') return undefined
  const best = priceOf(instrument, spec.anchor)
  const { activationPrice } = spec
  return {
    best,
    bestBefore: best,
    range: undefined,
    activation: activationPrice === undefined ? undefined : priceOf(instrument, activationPrice),
    levelAt: price => {
      const level = trailingLevel(spec, side === 'buy', roundToTicks(instrument, price, 'nearest'))
      return level === undefined ? undefined : priceOf(instrument, level)
    },
  }
}

function rankOf({ spec, purpose }: Placing): number {
  if (spec.type === 'market') return RANKS.market
  if (purpose === 'stopLoss' || purpose === 'trailingStop') return RANKS.protectiveStop
  return purpose === 'takeProfit' ? RANKS.takeProfit : RANKS.other
}

/** True if the entry filled inside the current kline, so that only a part of it lies ahead. */
export function enteredInside(order: ModelOrder): boolean {
  return order.entry !== undefined && !order.entry.atOpen
}

/**
 * Moves a trailing stop after a kline: the best price is its extreme, or its close if the entry filled inside
 * it.
 */
export function trailAfter(order: ModelOrder, kline: Kline): void {
  if (order.trail === undefined) return
  advanceTrail(order, enteredInside(order) ? kline.close : favourableExtreme(order, kline))
  order.trail.bestBefore = order.trail.best
}

/** Moves a trailing stop to where it is once the price was at `price`. */
export function advanceTrail(order: PathOrder, price: number): void {
  if (order.trail === undefined) return
  order.trail.best = betterPrice(order.isBuy, order.trail.best, price)
  order.stopPrice = order.trail.levelAt(order.trail.best)
}

/** Advances an order with the price: its trailing stop follows, and it is no longer new. */
export function carryAlong(order: PathOrder, price: number): void {
  advanceTrail(order, price)
  order.isNew = false
}

/** Level of a trailing stop once the kline's extreme in its favour has been reached. */
export function trailedLevel(order: PathOrder, kline: Kline): number | undefined {
  if (order.trail === undefined) return undefined
  return order.trail.levelAt(betterPrice(order.isBuy, order.trail.best, favourableExtreme(order, kline)))
}

/** Level of a trailing stop that does not exist yet, right when it starts. */
export function startingLevel({ trail }: ModelOrder): number | undefined {
  return trail?.activation === undefined ? undefined : trail.levelAt(trail.activation)
}

/** The extreme of a kline in favour of a limit order: the low for a buy, the high for a sell. */
export function favourableExtreme({ isBuy }: PathOrder, { low, high }: Kline): number {
  return isBuy ? low : high
}

/** The extreme of a kline towards the trigger of a stop order. */
export function adverseExtreme({ isBuy }: PathOrder, { low, high }: Kline): number {
  return isBuy ? high : low
}

/** Prices without resting orders between them, both exclusive. */
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
  if (order.isNew || order.isHeld || order.entry !== undefined || order.triggeredInside) return false
  // A stop waits on the far side of the price, a limit or an if-touched order on the near side.
  if (order.isBuy === (order.stopPrice !== undefined)) range.ceiling = Math.min(range.ceiling, level)
  else range.floor = Math.max(range.floor, level)
  return true
}

/** True while an order waits for its trigger price. */
export function waitsForTrigger({ stopPrice, touchPrice }: PathOrder): boolean {
  return stopPrice !== undefined || touchPrice !== undefined
}

/**
 * True if the remainder of an order beyond a kline's volume is canceled, as on the exchange: it takes. The engine sends that
 * of an exit at market again; a stop-loss, or another stop that closes, goes on at the next open.
 */
export function endsWithVolume({ request, limitPrice }: ModelOrder): boolean {
  if (request.reduceOnly) return request.spec.type === 'market' && request.protects === undefined
  return limitPrice === undefined
}

/** Marks a stop as triggered: from now on it is a market (or limit) order. */
export function triggerStop(order: PathOrder): void {
  order.isTriggered = order.limitPrice === undefined
  if (order.isTriggered && order.rank === RANKS.other) order.rank = RANKS.market
  order.stopPrice = undefined
  order.touchPrice = undefined
  order.trail = undefined
}

/** Reduces the remaining quantity by a partial fill. */
export function keepRest(order: PathOrder, filled: Steps): void {
  order.quantity = steps(order.quantity - filled)
  order.filledQuantity = steps(order.filledQuantity + filled)
  triggerStop(order)
}
