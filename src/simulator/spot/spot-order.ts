import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, subtract, ZERO } from '../../domain/numbers/amount.ts'
import { baseAmount, NO_STEPS, notionalOf, type Steps, steps, type Ticks } from '../../domain/numbers/grid.ts'
import type { Side } from '../../domain/orders/side.ts'
import type { Account } from '../account.ts'

/** Order types of the spot interface that the exchange trades; `STOP_MARKET` is sent by some clients without being documented. */
export const SPOT_ORDER_TYPES = ['LIMIT', 'MARKET', 'FOK', 'POST_ONLY', 'IOC', 'STOP', 'STOP_MARKET'] as const

/** One of them. */
export type SpotOrderType = (typeof SPOT_ORDER_TYPES)[number]

/** Status of a spot order, in the interface's words (section 3.1). */
type SpotOrderStatus = 'NEW' | 'PARTIALLY_FILLED' | 'PENDING_CANCEL' | 'FILLED' | 'CANCELED' | 'REJECTED'

/** Size of an order: base, or (a market buy) quote to spend. */
export type OrderSize =
  | { readonly unit: 'base'; readonly quantity: Steps }
  | { readonly unit: 'quote'; readonly amount: Amount }

/** An order as requested. */
export interface SpotOrderDraft {
  readonly instrument: Instrument
  readonly side: Side
  readonly type: SpotOrderType
  readonly size: OrderSize
  /** Worst price to trade at; none for MARKET and STOP_MARKET. */
  readonly price: Ticks | undefined
  /** A stop order goes to the book once a print reaches this price. */
  readonly triggerPrice?: Ticks | undefined
  readonly clientOrderId: string | undefined
}

/** An order the exchange has taken on. */
export interface SimulatedSpotOrder extends SpotOrderDraft {
  readonly id: bigint
  readonly account: Account
  /** ms UTC. */
  readonly time: number
  /** When it went to the book, ms UTC; `undefined` while a stop waits for its trigger. */
  workingSince: number | undefined
  status: SpotOrderStatus
  executedQuantity: Steps
  /** Quote traded so far. */
  executedNotional: Amount
  /** Its remaining reserve in the paying asset. */
  locked: Amount
}

/** An order before its first trade and its reserve. */
export function newSpotOrder(
  draft: SpotOrderDraft,
  { id, account, time }: Pick<SimulatedSpotOrder, 'id' | 'account' | 'time'>,
): SimulatedSpotOrder {
  const untouched = {
    workingSince: undefined,
    status: 'NEW',
    executedQuantity: NO_STEPS,
    executedNotional: ZERO,
    locked: ZERO,
  } as const
  return { ...draft, id, account, time, ...untouched }
}

/** The asset an order pays with. */
export function payingAsset({ instrument, side }: SpotOrderDraft): string {
  return side === 'buy' ? instrument.quote : instrument.base
}

/** Reserve of an order: the whole price of a buy at its limit, or the base of a sell. */
export function reserveOf({ instrument, side, size, price }: SpotOrderDraft): Amount {
  if (size.unit === 'quote') return size.amount
  if (side === 'sell') return baseAmount(instrument, size.quantity)
  return price === undefined ? ZERO : notionalOf(instrument, price, size.quantity)
}

/**
 * Base that an order can still trade at `price`: for a market buy the whole steps that its remaining money
 * pays for.
 */
export function openQuantityAt(order: SimulatedSpotOrder, price: Ticks): Steps {
  if (order.size.unit === 'base') return steps(order.size.quantity - order.executedQuantity)
  const money = subtract(order.size.amount, order.executedNotional)
  const oneStep = notionalOf(order.instrument, price, steps(1))
  return oneStep === 0n ? NO_STEPS : steps(Number(money / oneStep))
}

/** True if the order is on the book or may still get there. */
export function isOpen({ status }: SimulatedSpotOrder): boolean {
  return status === 'NEW' || status === 'PARTIALLY_FILLED' || status === 'PENDING_CANCEL'
}
