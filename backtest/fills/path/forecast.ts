import { feeRateOf } from '../../../src/domain/fee.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { amountToNumber } from '../../../src/domain/numbers/amount.ts'
import { NO_STEPS, priceOf, type Steps, steps } from '../../../src/domain/numbers/grid.ts'
import { stepsOfPart } from '../../../src/domain/numbers/part-range.ts'
import type { Position } from '../../../src/domain/position.ts'
import { protectiveLegs } from '../../../src/engine/brackets/protection-prices.ts'
import { orderSpec } from '../../../src/risk/to-grid.ts'
import type { ExecutionPrice } from '../execution-price.ts'
import type { FillPrices } from '../fill-prices.ts'
import { carryAlong, type PathOrder, type Placing, pathOrder, RANKS, triggerStop } from '../model-order.ts'
import type { ForecastOrder } from './forecast-order.ts'

/** Open quantity of one entry. */
export interface ForecastLot {
  /** clientOrderId of the entry. */
  readonly id: string
  readonly book: string | undefined
  readonly isLong: boolean
  readonly quantity: number
}

/** The lots of a position. */
export function lotsOf({ book, direction, lots }: Position): ForecastLot[] {
  const isLong = direction === 'long'
  return lots.map(({ clientOrderId, quantity }) => ({ id: clientOrderId, book, isLong, quantity }))
}

/** The orders of a forecast at one point of a path, and what is held there; immutable. */
export interface Outlook {
  readonly orders: readonly ForecastOrder[]
  /** In order of entry. */
  readonly lots: readonly ForecastLot[]
  /** Volume left on the kline. */
  readonly tradable: Steps
}

/** Consequences of a fill. */
export interface Outcome {
  readonly outlook: Outlook
  /** Gain by the close of the kline, after fees, in quote per base times steps. */
  readonly gain: number
}

/**
 * Predicts the engine's reaction to fills: entries bring their protection and cancel the others of their
 * group; exits, and entries against the position, leave other exits what is then held. No more is needed,
 * because the path is chosen anew after each real fill.
 */
export class Forecast {
  readonly #instrument: Instrument
  readonly #pricesOf: FillPrices
  readonly #feeRates: { readonly maker: number; readonly taker: number }

  constructor(instrument: Instrument, pricesOf: FillPrices) {
    this.#instrument = instrument
    this.#pricesOf = pricesOf
    this.#feeRates = {
      maker: amountToNumber(feeRateOf(instrument, 'maker')),
      taker: amountToNumber(feeRateOf(instrument, 'taker')),
    }
  }

  /** Price of a fill, quote per base, after slippage and spread. */
  priceOf(order: PathOrder, execution: ExecutionPrice, quantity: Steps, kline: Kline): number {
    return priceOf(this.#instrument, this.#pricesOf(order, execution, quantity, kline).price)
  }

  /** Fills an order as far as the volume allows; a remainder trades no more on this kline. */
  trade(outlook: Outlook, order: ForecastOrder, execution: ExecutionPrice, kline: Kline): Outcome {
    const quantity = steps(Math.min(order.quantity, outlook.tradable))
    const price = this.priceOf(order, execution, quantity, kline)
    const left = withoutClosed(outlook.lots, order, quantity)
    const opened = order.reduceOnly ? 0 : quantity - (heldIn(outlook.lots) - heldIn(left))
    const { id, book, isBuy } = order
    const lots = opened > 0 ? [...left, { id, book, isLong: isBuy, quantity: opened }] : left
    const others = outlook.orders.filter(other => other !== order)
    const orders = order.reduceOnly ? others : this.#afterEntry(others, order, steps(opened), price)
    const tradable = steps(outlook.tradable - quantity)
    return {
      outlook: { orders: fitted(orders, lots).filter(other => other.quantity > 0), lots, tradable },
      gain: this.#gain(order, execution, quantity, price, kline.close),
    }
  }

  #gain(
    { isBuy }: ForecastOrder,
    { liquidity }: ExecutionPrice,
    quantity: Steps,
    price: number,
    close: number,
  ): number {
    const isPaidInBase = isBuy && this.#instrument.fees.paidIn === 'received'
    const fee = this.#feeRates[liquidity] * (isPaidInBase ? close : price)
    return ((isBuy ? close - price : price - close) - fee) * quantity
  }

  #afterEntry(
    others: readonly ForecastOrder[],
    entry: ForecastOrder,
    opened: Steps,
    price: number,
  ): readonly ForecastOrder[] {
    const kept = entry.group === undefined ? others : others.filter(({ group }) => group !== entry.group)
    if (opened === 0) return kept
    if (kept.some(({ protects }) => protects === entry.id))
      return kept.map(other =>
        other.protects === entry.id ? resized(other, other.quantity + opened) : other,
      )
    return [...kept, ...this.#legsOf(entry, opened, price)]
  }

  #legsOf(entry: ForecastOrder, held: Steps, price: number): ForecastOrder[] {
    return legsOf(this.#instrument, entry, held, price).map(leg => ({
      ...pathOrder(this.#instrument, leg, Number.NEGATIVE_INFINITY),
      id: entry.id,
      protects: entry.id,
      protection: undefined,
      group: undefined,
      book: entry.book,
    }))
  }
}

/** The protective orders of an entry that has filled at `price`, quote per base. */
export function legsOf(
  instrument: Instrument,
  { isBuy, protection }: Pick<ForecastOrder, 'isBuy' | 'protection'>,
  held: Steps,
  price: number,
): Placing[] {
  const side = isBuy ? 'sell' : 'buy'
  return protectiveLegs(protection ?? {}, isBuy ? 'long' : 'short', price).map(({ purpose, part, plan }) => ({
    ...{ side, purpose, reduceOnly: true, spec: orderSpec(instrument, side, plan) },
    quantity: part === undefined ? held : stepsOfPart(part, held),
  }))
}

/** An order as it is once the price was at `price`. */
export function carriedTo(order: ForecastOrder, price: number): ForecastOrder {
  if (order.trail === undefined && !order.isNew) return order
  const moved = { ...order, trail: order.trail && { ...order.trail } }
  carryAlong(moved, price)
  return moved
}

/** A triggered stop-limit order rests at its limit. */
export function withTriggered(outlook: Outlook, order: ForecastOrder): Outlook {
  const triggered = { ...order }
  triggerStop(triggered)
  return { ...outlook, orders: outlook.orders.map(other => (other === order ? triggered : other)) }
}

function heldIn(lots: readonly ForecastLot[]): number {
  return lots.reduce((sum, { quantity }) => sum + quantity, 0)
}

/** True if a fill of an order closes a lot. */
function isClosedBy({ isLong, book }: ForecastLot, order: ForecastOrder): boolean {
  if (isLong === order.isBuy) return false
  // With a long and a short position side by side (hedge mode), a liquidation takes that of its side.
  return order.book === undefined || order.book === book
}

/** Lots less what an order closes: first in, first out, but first those of the entry that it protects. */
function withoutClosed(
  lots: readonly ForecastLot[],
  order: ForecastOrder,
  quantity: number,
): readonly ForecastLot[] {
  const closable = lots.filter(lot => isClosedBy(lot, order))
  if (closable.length === 0) return lots
  const isProtected = ({ id }: ForecastLot) => id === order.protects
  const taken = new Map<ForecastLot, number>()
  let free = quantity
  for (const lot of [...closable.filter(isProtected), ...closable.filter(lot => !isProtected(lot))]) {
    const part = Math.min(free, lot.quantity)
    free -= part
    taken.set(lot, part)
  }
  return lots
    .map(lot => ({ ...lot, quantity: lot.quantity - (taken.get(lot) ?? 0) }))
    .filter(lot => lot.quantity > 0)
}

/**
 * Exits close no more than is held: what protects an entry, what is left of that; exits of their own, what is left of the
 * position. The parts of a take-profit are served in order, and so are exits of their own.
 */
function fitted(orders: readonly ForecastOrder[], lots: readonly ForecastLot[]): readonly ForecastOrder[] {
  const left = new Map<string, number>()
  return orders.map(order => {
    if (!order.reduceOnly) return order
    const { protects, rank, quantity } = order
    const closable = lots.filter(lot =>
      protects === undefined ? isClosedBy(lot, order) : lot.id === protects,
    )
    if (rank === RANKS.protectiveStop) return resized(order, Math.min(quantity, heldIn(closable)))
    const key = protects ?? `of its own ${order.book} ${order.isBuy}`
    const free = left.get(key) ?? heldIn(closable)
    const part = Math.min(quantity, free)
    left.set(key, free - part)
    return resized(order, part)
  })
}

function resized(order: ForecastOrder, quantity: number): ForecastOrder {
  return quantity === order.quantity
    ? order
    : { ...order, quantity: quantity > 0 ? steps(quantity) : NO_STEPS }
}
