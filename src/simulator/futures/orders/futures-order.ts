import { type Amount, ZERO } from '../../../domain/numbers/amount.ts'
import { NO_STEPS, type Steps, steps, type Ticks } from '../../../domain/numbers/grid.ts'
import { type Direction, oppositeOf, type Side } from '../../../domain/orders/side.ts'
import type { Contract } from '../contract.ts'
import type { FuturesAccount } from '../positions/futures-account.ts'
import type { MarginMode } from '../positions/position.ts'

/** How an order meets the book, in the order of the numbers that order histories use (1 LIMIT to 5 POST_ONLY). */
export const FUTURES_ORDER_TYPES = ['LIMIT', 'MARKET', 'IOC', 'FOK', 'POST_ONLY'] as const

/** One of them. */
export type FuturesOrderType = (typeof FUTURES_ORDER_TYPES)[number]

/** Where an order stands; `INIT` waits for its condition. */
export type FuturesOrderStatus =
  | 'INIT'
  | 'NEW'
  | 'PARTIALLY_FILLED'
  | 'FILLED'
  | 'CANCELED'
  | 'REJECTED'
  | 'EXPIRED'

/** The mark price that makes an order of a condition: at or above it, or at or below. */
export interface Trigger {
  readonly direction: 'up' | 'down'
  readonly price: Ticks
}

/** What an order asks for. */
export interface FuturesOrderDraft {
  readonly contract: Contract
  readonly side: Side
  readonly action: 'OPEN' | 'CLOSE'
  readonly type: FuturesOrderType
  readonly volume: Steps
  /** None for MARKET. */
  readonly price: Ticks | undefined
  /** What the client says it wants; the account's setting otherwise. */
  readonly marginMode: MarginMode | undefined
  readonly leverage: number | undefined
  readonly clientOrderId: string | undefined
  readonly trigger: Trigger | undefined
}

/** An order the exchange has taken on. */
export interface FuturesOrder extends Omit<FuturesOrderDraft, 'volume' | 'marginMode' | 'leverage'> {
  readonly id: bigint
  readonly account: FuturesAccount
  /** ms UTC. */
  readonly time: number
  readonly marginMode: MarginMode
  readonly leverage: number
  size: { readonly unit: 'base'; readonly quantity: Steps }
  /** Worst price to trade at: its own, or for MARKET the edge of the price band. */
  limit: Ticks
  status: FuturesOrderStatus
  /** Whether its owner has asked for its end, which takes a while. */
  isCancelPending: boolean
  executedQuantity: Steps
  /** Quote traded so far. */
  executedValue: Amount
  /** What each contract that is still open reserves for margin and fee. */
  frozenPerContract: Amount
  /** Paid if positive. */
  fee: Amount
  /** Profit of what it closed. */
  realized: Amount
}

type Untouched =
  | 'status'
  | 'isCancelPending'
  | 'executedQuantity'
  | 'executedValue'
  | 'frozenPerContract'
  | 'fee'
  | 'realized'

/** An order before its first trade, nothing reserved yet. */
export function newFuturesOrder(
  order: Omit<FuturesOrder, Untouched | 'size'> & { readonly volume: Steps },
): FuturesOrder {
  const { volume, ...rest } = order
  return {
    ...rest,
    size: { unit: 'base', quantity: volume },
    status: order.trigger === undefined ? 'NEW' : 'INIT',
    isCancelPending: false,
    executedQuantity: NO_STEPS,
    executedValue: ZERO,
    frozenPerContract: ZERO,
    fee: ZERO,
    realized: ZERO,
  }
}

/** Contracts that an order can still trade. */
export function openVolumeOf({ size, executedQuantity }: FuturesOrder): Steps {
  return steps(size.quantity - executedQuantity)
}

/** Whether the order is on the book or may still get there. */
export function isWaiting({ status }: FuturesOrder): boolean {
  return status === 'INIT' || isLive({ status })
}

/** Whether the order is on the book. */
export function isLive({ status }: Pick<FuturesOrder, 'status'>): boolean {
  return status === 'NEW' || status === 'PARTIALLY_FILLED'
}

/** The direction of the position that a trade on `side` makes smaller. */
export function closedDirection(side: Side): Direction {
  return oppositeOf(side) === 'buy' ? 'long' : 'short'
}

/** The direction of the position that a trade on `side` makes larger. */
export function openedDirection(side: Side): Direction {
  return side === 'buy' ? 'long' : 'short'
}
