import type { Kline } from '../../src/domain/market-data/kline.ts'
import type { FillRule } from '../models/fill-rule.ts'
import type { FillSettings, PathPolicy } from '../models/fill-settings.ts'
import {
  allows,
  atLimit,
  type ExecutionPrice,
  NO_PRICE,
  passes,
  reached,
  taken,
  touched,
} from './execution-price.ts'
import type { PathOrder } from './model-order.ts'

/**
 * The points after the open that the price moves to in straight lines, or `undefined` where the policy knows
 * no path.
 */
export function pathOf(kline: Kline, policy: PathPolicy): readonly number[] | undefined {
  if (policy === 'ohlc') return [kline.high, kline.low, kline.close]
  return policy === 'olhc' ? [kline.low, kline.high, kline.close] : undefined
}

/** An order that the price reaches. */
export interface Meeting<Order extends PathOrder> {
  readonly order: Order
  /** Price at the meeting, quote per base. */
  readonly price: number
  /** True if the price must first move beyond it: a limit to be traded through. */
  readonly isBeyond: boolean
  /** The price is past a limit that rested there: it has traded on the way. */
  readonly isPassed: boolean
  /** Absent where a stop-limit order is triggered and rests from then on. */
  readonly execution: ExecutionPrice | undefined
}

const ON_TOUCH = { isBeyond: false, isPassed: false } as const

/**
 * The order that a price moving straight from `from` to `to` meets first: already passed orders, then the
 * nearest. At one price, an order that fills on touch comes first, then the rank decides, then the placement.
 */
export function firstMeeting<Order extends PathOrder>(
  orders: readonly Order[],
  from: number,
  to: number,
  settings: FillSettings,
  now: number,
): Meeting<Order> | undefined {
  let first: Meeting<Order> | undefined
  for (const order of orders) {
    const meeting = order.liveAt > now ? undefined : meetingOf(order, from, to, settings)
    if (meeting !== undefined && (first === undefined || isBefore(meeting, first, from))) first = meeting
  }
  return first
}

function isBefore(left: Meeting<PathOrder>, right: Meeting<PathOrder>, from: number): boolean {
  if (left.isPassed !== right.isPassed) return left.isPassed
  const further = Math.abs(left.price - from) - Math.abs(right.price - from)
  if (further !== 0) return further < 0
  return left.isBeyond === right.isBeyond ? left.order.rank < right.order.rank : right.isBeyond
}

function meetingOf<Order extends PathOrder>(
  order: Order,
  from: number,
  to: number,
  settings: FillSettings,
): Meeting<Order> | undefined {
  const { stopPrice, limitPrice = NO_PRICE } = order
  if (stopPrice !== undefined) {
    const arrived = reached(order, from, stopPrice)
    if (!arrived && !reached(order, to, stopPrice)) return undefined
    const price = arrived ? from : stopPrice
    return { order, price, ...ON_TOUCH, execution: triggered(order, price, arrived) }
  }
  if (order.touchPrice !== undefined) return touchMeeting(order, order.touchPrice, from, to)
  if (passes(order, from, limitPrice, settings)) {
    const isPast = from !== limitPrice
    const isArriving = order.isNew && isPast
    const execution = isArriving ? taken(from, 'reachedOnArrival') : limitInside(order, limitPrice)
    return { order, price: from, isBeyond: false, isPassed: isPast && !isArriving, execution }
  }
  if (!passes(order, to, limitPrice, settings)) return undefined
  const isBeyond = settings.limitFill === 'through'
  return { order, price: limitPrice, isBeyond, isPassed: false, execution: limitInside(order, limitPrice) }
}

function limitInside(order: PathOrder, price: number): ExecutionPrice {
  return atLimit(order, price, order.triggeredInside ? 'stopLimitPullback' : 'limitInside')
}

function touchMeeting<Order extends PathOrder>(
  order: Order,
  touchPrice: number,
  from: number,
  to: number,
): Meeting<Order> | undefined {
  const arrived = touched(order, from, touchPrice)
  if (!arrived && !touched(order, to, touchPrice)) return undefined
  const price = arrived ? from : touchPrice
  const execution = taken(price, arrived ? 'reachedOnArrival' : 'touchedInside')
  return { order, price, ...ON_TOUCH, execution }
}

/** Result of a stop at its trigger price: a limit order short of that price only rests. */
function triggered(order: PathOrder, price: number, arrived: boolean): ExecutionPrice | undefined {
  const { limitPrice } = order
  if (limitPrice === undefined) return taken(price, arrived ? 'reachedOnArrival' : stopRule(order))
  return allows(order, limitPrice, price) ? taken(price, 'stopLimitTriggered') : undefined
}

function stopRule({ trail }: PathOrder): FillRule {
  return trail !== undefined && trail.best !== trail.bestBefore ? 'trailedInside' : 'stopInside'
}
