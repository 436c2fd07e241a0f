import { feeRateOf } from '../../../src/domain/fee.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { amountToNumber } from '../../../src/domain/numbers/amount.ts'
import { NO_STEPS, priceOf, type Steps, steps } from '../../../src/domain/numbers/grid.ts'
import { stepsOfPart } from '../../../src/domain/numbers/part-range.ts'
import { protectiveLegs } from '../../../src/engine/brackets/protection-prices.ts'
import { orderSpec } from '../../../src/risk/to-grid.ts'
import type { ExecutionPrice } from '../execution-price.ts'
import type { FillPrices } from '../fill-prices.ts'
import { carryAlong, pathOrder, RANKS, triggerStop } from '../model-order.ts'
import { closesFor, type ForecastOrder } from './forecast-order.ts'

/** The orders of a forecast at one point of a path; immutable. */
export interface Outlook {
  readonly orders: readonly ForecastOrder[]
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
 * group; exits, and entries against the position, shrink the other exits of their entry. No more is needed,
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

  /** Fills an order as far as the volume allows; a remainder trades no more on this kline. */
  trade(outlook: Outlook, order: ForecastOrder, execution: ExecutionPrice, kline: Kline): Outcome {
    const quantity = steps(Math.min(order.quantity, outlook.tradable))
    const price = priceOf(this.#instrument, this.#pricesOf(order, execution, quantity, kline).price)
    const others = outlook.orders.filter(other => other !== order)
    const orders = order.reduceOnly
      ? afterExit(others, order, quantity)
      : this.#afterEntry(afterOpposite(others, order, quantity), order, quantity, price)
    const tradable = steps(outlook.tradable - quantity)
    return {
      outlook: { orders: orders.filter(other => other.quantity > 0), tradable },
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
    quantity: Steps,
    price: number,
  ): ForecastOrder[] {
    const kept = entry.group === undefined ? others : others.filter(({ group }) => group !== entry.group)
    if (kept.some(({ protects }) => protects === entry.id))
      return kept.map(other =>
        other.protects === entry.id ? resized(other, other.quantity + quantity) : other,
      )
    return [...kept, ...this.#legsOf(entry, quantity, price)]
  }

  #legsOf(entry: ForecastOrder, held: Steps, price: number): ForecastOrder[] {
    const side = entry.isBuy ? 'sell' : 'buy'
    return protectiveLegs(entry.protection ?? {}, entry.isBuy ? 'long' : 'short', price).map(leg => {
      const { purpose, part } = leg
      const spec = orderSpec(this.#instrument, side, leg.plan)
      const quantity = part === undefined ? held : stepsOfPart(part, held)
      return {
        ...pathOrder(
          this.#instrument,
          { side, spec, purpose, quantity, reduceOnly: true },
          Number.NEGATIVE_INFINITY,
        ),
        id: entry.id,
        protects: entry.id,
        protection: undefined,
        group: undefined,
        book: entry.book,
      }
    })
  }
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

/**
 * The exits of one entry together close at most its remainder; the parts of a take-profit are served in
 * order.
 */
function afterExit(others: readonly ForecastOrder[], exit: ForecastOrder, quantity: Steps): ForecastOrder[] {
  const isSibling = (other: ForecastOrder) =>
    other.reduceOnly &&
    other.isBuy === exit.isBuy &&
    (other.protects ?? exit.protects) === (exit.protects ?? other.protects)
  let free = heldBehind([exit, ...others.filter(isSibling)]) - quantity
  const left = free
  return others.map(other => {
    if (!isSibling(other)) return other
    if (other.rank === RANKS.protectiveStop) return resized(other, Math.min(other.quantity, left))
    const part = Math.min(other.quantity, free)
    free -= part
    return resized(other, part)
  })
}

/** An entry against the position leaves its exits at most the remaining quantity. */
function afterOpposite(
  others: readonly ForecastOrder[],
  entry: ForecastOrder,
  quantity: Steps,
): readonly ForecastOrder[] {
  const exits = others.filter(other => closesFor(entry, other))
  if (exits.length === 0) return others
  const left = afterExit(exits, { ...entry, protects: undefined, quantity: NO_STEPS }, quantity)
  return others.map(other => left[exits.indexOf(other)] ?? other)
}

/** Remaining quantity of an entry: that of its stop, or else the sum of all take-profits. */
function heldBehind(exits: readonly ForecastOrder[]): number {
  let [stopped, taken] = [0, 0]
  for (const { rank, quantity } of exits) {
    if (rank === RANKS.protectiveStop) stopped = Math.max(stopped, quantity)
    else taken += quantity
  }
  return stopped > 0 ? stopped : taken
}

function resized(order: ForecastOrder, quantity: number): ForecastOrder {
  return quantity === order.quantity
    ? order
    : { ...order, quantity: quantity > 0 ? steps(quantity) : NO_STEPS }
}
