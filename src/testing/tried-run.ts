import type { SimulatedFill } from '../../backtest/fills/simulated-fill.ts'
import type { BacktestResult } from '../../backtest/results/backtest-result.ts'
import type { Notice } from '../domain/events/engine-output.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { Kline } from '../domain/market-data/kline.ts'
import { amountToNumber } from '../domain/numbers/amount.ts'
import { priceOf, quantityOf, type Ticks } from '../domain/numbers/grid.ts'
import type { DenialRule } from '../domain/orders/denial.ts'
import type { Liquidity } from '../domain/orders/fill.ts'
import type { Order } from '../domain/orders/order.ts'
import type { Purpose } from '../domain/orders/order-intent.ts'
import type { OrderSpec } from '../domain/orders/order-request.ts'
import type { OrderStatus } from '../domain/orders/order-status.ts'
import type { Direction, Side } from '../domain/orders/side.ts'
import type { RoundTrip } from '../domain/round-trip.ts'
import type { Signal } from '../domain/signal.ts'

/** A signal with its time. */
export interface TriedDecision {
  /** Index of the latest closed kline, from 0. */
  readonly kline: number
  /** ms UTC. */
  readonly time: number
  readonly signal: Signal<string>
}

/** A fill of an order, also a partial one. */
export interface TriedFill {
  /** Index of the kline in which it traded, from 0, among those of its instrument. */
  readonly kline: number
  /** ms UTC. */
  readonly time: number
  /** Role of its instrument; `undefined` for the strategy's own. */
  readonly market: string | undefined
  readonly side: Side
  /** Purpose of the order. */
  readonly purpose: Purpose
  readonly price: number
  /** Base units. */
  readonly quantity: number
  /** In quote or base, depending on the account. */
  readonly fee: number
  readonly liquidity: Liquidity
  readonly tag: string | undefined
}

/** A quantity from its entry to its exit. */
export interface TriedRoundTrip {
  /** Role of its instrument; `undefined` for the strategy's own. */
  readonly market: string | undefined
  readonly direction: Direction
  /** Base units. */
  readonly quantity: number
  readonly entryPrice: number
  readonly exitPrice: number
  /** After fees, in quote. */
  readonly profit: number
  readonly exitReason: Purpose
  /** ms UTC. */
  readonly entryTime: number
  /** ms UTC. */
  readonly exitTime: number
  readonly tag: string | undefined
}

/** An order that the risk checks denied. */
export interface TriedDenial {
  /** Index of the latest closed kline, from 0. */
  readonly kline: number
  readonly rule: DenialRule
  /** Reason, a whole sentence. */
  readonly message: string
  readonly tag: string | undefined
}

/** A placed order, with its final state. */
export interface TriedOrder {
  /** Role of its instrument; `undefined` for the strategy's own. */
  readonly market: string | undefined
  readonly side: Side
  readonly purpose: Purpose
  readonly type: OrderSpec['type']
  /** Limit price, or else stop or trigger price; `undefined` for market orders and trailing stops. */
  readonly price: number | undefined
  /** Base units. */
  readonly quantity: number
  /** Base units. */
  readonly filledQuantity: number
  readonly status: OrderStatus
  readonly tag: string | undefined
}

export interface TriedPosition {
  readonly direction: Direction | 'flat'
  /** Base units. */
  readonly quantity: number
  /** Average entry price; NaN when flat. */
  readonly entryPrice: number
}

/** Actions and results of a strategy, in plain numbers and in order. */
export interface TriedRun {
  /** Signals that its handlers returned. */
  readonly signals: readonly Signal<string>[]
  /** The same signals, with their times. */
  readonly decisions: readonly TriedDecision[]
  readonly fills: readonly TriedFill[]
  readonly roundTrips: readonly TriedRoundTrip[]
  readonly denials: readonly TriedDenial[]
  /** Every order, in order of placement. */
  readonly orders: readonly TriedOrder[]
  /** Position at the end. */
  readonly position: TriedPosition
  /** Position at the end, by role. */
  readonly positions: Readonly<Record<string, TriedPosition>>
  /** Equity after each kline, in quote. */
  readonly equity: readonly number[]
}

/** A traded instrument, with its klines. */
export interface TriedMarket {
  readonly instrument: Instrument
  readonly list: readonly Kline[]
}

/** Inputs of a `TriedRun`. */
export interface TriedParts {
  readonly result: BacktestResult
  readonly notices: readonly Notice[]
  readonly own: TriedMarket
  /** By role. */
  readonly roles: Readonly<Record<string, TriedMarket>>
}

/** Converts the result of a backtest into plain numbers. */
export function triedRun({ result, notices, own, roles }: TriedParts): TriedRun {
  const orders = new Map<string, Order>()
  const decisions: TriedDecision[] = []
  const denials: TriedDenial[] = []
  const latestAt = (time: number) => result.equityTime.findLastIndex(closedAt => closedAt <= time)
  const placeOf = placesIn(own, roles)
  for (const notice of notices) {
    if (notice.type === 'signaled')
      decisions.push({ kline: latestAt(notice.time), time: notice.time, signal: notice.signal })
    if (notice.type === 'denied') {
      const { rule, message, intent } = notice.denial
      denials.push({ kline: latestAt(notice.time), rule, message, tag: intent.tag })
    }
    if (notice.type === 'orderChanged' || notice.type === 'fillBooked')
      orders.set(notice.order.request.clientOrderId, notice.order)
  }
  return {
    signals: decisions.map(({ signal }) => signal),
    decisions,
    fills: result.fills.map(fill =>
      triedFill(fill, orders.get(fill.clientOrderId)?.request.purpose, placeOf(fill.symbol)),
    ),
    roundTrips: result.roundTrips.map(trip => triedRoundTrip(trip, placeOf(trip.symbol))),
    denials,
    orders: [...orders.values()].map(order => triedOrder(order, placeOf(order.request.symbol))),
    position: positionAtEnd(result, own.instrument),
    positions: Object.fromEntries(
      Object.entries(roles).map(([role, { instrument }]) => [role, positionAtEnd(result, instrument)]),
    ),
    equity: [...result.equity],
  }
}

/** A market, with its role. */
interface Place extends TriedMarket {
  readonly market: string | undefined
}

function placesIn(own: TriedMarket, roles: TriedParts['roles']): (symbol: string) => Place {
  const places = Object.entries(roles).map(([market, of]): Place => ({ market, ...of }))
  return symbol =>
    places.find(({ instrument }) => instrument.symbol === symbol) ?? { market: undefined, ...own }
}

function triedFill(
  fill: SimulatedFill,
  purpose: Purpose | undefined,
  { market, instrument, list }: Place,
): TriedFill {
  return {
    kline: list.findIndex(({ openTime }) => openTime === fill.klineOpenTime),
    time: fill.time,
    market,
    side: fill.side,
    // Every other fill belongs to an order.
    purpose: purpose ?? 'liquidation',
    price: priceOf(instrument, fill.price),
    quantity: quantityOf(instrument, fill.quantity),
    fee: amountToNumber(fill.fee),
    liquidity: fill.liquidity,
    tag: fill.tag,
  }
}

function triedRoundTrip(trip: RoundTrip, { market, instrument }: Place): TriedRoundTrip {
  return {
    market,
    direction: trip.direction,
    quantity: quantityOf(instrument, trip.quantity),
    entryPrice: priceOf(instrument, trip.entryPrice),
    exitPrice: priceOf(instrument, trip.exitPrice),
    profit: amountToNumber(trip.pnl),
    exitReason: trip.exitReason,
    entryTime: trip.entryTime,
    exitTime: trip.exitTime,
    tag: trip.tag,
  }
}

function triedOrder({ request, status, filledQuantity }: Order, { market, instrument }: Place): TriedOrder {
  const { side, purpose, spec, quantity, tag } = request
  const price = priceIn(spec)
  return {
    market,
    side,
    purpose,
    type: spec.type,
    price: price === undefined ? undefined : priceOf(instrument, price),
    quantity: quantityOf(instrument, quantity),
    filledQuantity: quantityOf(instrument, filledQuantity),
    status,
    tag,
  }
}

function priceIn(spec: OrderSpec): Ticks | undefined {
  if ('price' in spec) return spec.price
  if ('stopPrice' in spec) return spec.stopPrice
  return 'triggerPrice' in spec ? spec.triggerPrice : undefined
}

/** With long and short side by side: the first of them. */
function positionAtEnd({ openPositions }: BacktestResult, instrument: Instrument): TriedPosition {
  const position = openPositions.find(({ symbol }) => symbol === instrument.symbol)
  if (position === undefined) return { direction: 'flat', quantity: 0, entryPrice: Number.NaN }
  const worth = position.lots.reduce((sum, lot) => sum + priceOf(instrument, lot.price) * lot.quantity, 0)
  return {
    direction: position.direction,
    quantity: quantityOf(instrument, position.quantity),
    entryPrice: worth / position.quantity,
  }
}
