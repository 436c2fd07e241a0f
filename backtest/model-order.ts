import { priceOf, type Steps } from '../src/domain/grid.ts'
import type { Instrument } from '../src/domain/instrument.ts'
import type { Kline } from '../src/domain/kline.ts'
import type { OrderRequest } from '../src/domain/order-request.ts'

/** How the entry that a protective order belongs to was filled on the current kline. */
export interface EntryOnThisKline {
  readonly spec: OrderRequest['spec']['type']
  /** At the open, so that the whole kline lies ahead. */
  readonly atOpen: boolean
}

/** An order resting in the fill model. Prices are doubles of exact ticks, to be compared with a kline's. */
export interface ModelOrder {
  readonly request: OrderRequest
  readonly isBuy: boolean
  quantity: Steps
  /** Price that triggers a stop; `undefined` once triggered, and for orders without one. */
  stopPrice: number | undefined
  /** A stop-limit order that was triggered after the open of the current kline, so that only a part of it lies ahead. */
  triggeredInside: boolean
  /** Limit price; `undefined` for market and stop orders. */
  readonly limitPrice: number | undefined
  /** Placed after the previous kline closed, so that its first chance to trade is the open. */
  isNew: boolean
  /** For protective orders, on the kline of their entry only. */
  entry: EntryOnThisKline | undefined
  /** Best price since entry and distance, for trailing stops. */
  trail: { best: number; readonly distance: number } | undefined
}

/** A new order. */
export function modelOrder(
  instrument: Instrument,
  request: OrderRequest,
  entry: EntryOnThisKline | undefined,
): ModelOrder {
  const { spec } = request
  const isBuy = request.side === 'buy'
  const trail =
    spec.type === 'trailingStop'
      ? { best: priceOf(instrument, spec.anchor), distance: priceOf(instrument, spec.distance) }
      : undefined
  return {
    request,
    isBuy,
    quantity: request.quantity,
    stopPrice:
      spec.type === 'stop' || spec.type === 'stopLimit'
        ? priceOf(instrument, spec.stopPrice)
        : trailLevel(isBuy, trail),
    limitPrice:
      spec.type === 'limit' || spec.type === 'stopLimit' ? priceOf(instrument, spec.price) : undefined,
    triggeredInside: false,
    isNew: true,
    entry,
    trail,
  }
}

/** Whether the entry filled somewhere inside the current kline, so that only a part of it lies ahead. */
export function enteredInside(order: ModelOrder): boolean {
  return order.entry !== undefined && !order.entry.atOpen
}

/** Moves a trailing stop after a kline: the best price is its extreme, or its close where the entry came inside it. */
export function trailAfter(order: ModelOrder, kline: Kline): void {
  if (order.trail === undefined) return
  const extreme = order.isBuy ? kline.low : kline.high
  order.trail.best = better(order, order.trail.best, enteredInside(order) ? kline.close : extreme)
  order.stopPrice = trailLevel(order.isBuy, order.trail)
}

/** Level of a trailing stop once the kline's extreme in its favour has been reached. */
export function trailedLevel(order: ModelOrder, kline: Kline): number | undefined {
  if (order.trail === undefined) return undefined
  const best = better(order, order.trail.best, order.isBuy ? kline.low : kline.high)
  return trailLevel(order.isBuy, { best, distance: order.trail.distance })
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
