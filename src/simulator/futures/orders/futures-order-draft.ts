import type { Steps, Ticks } from '../../../domain/numbers/grid.ts'
import type { Side } from '../../../domain/orders/side.ts'
import type { Contract } from '../contract.ts'
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
