import type { Steps, Ticks } from '../../../domain/numbers/grid.ts'
import type { Side } from '../../../domain/orders/side.ts'
import type { Contract } from '../contract.ts'
import type { SimulatedMarginMode } from '../positions/position.ts'

/** Order types in the order of the numbers used by order histories (1 LIMIT to 5 POST_ONLY). */
export const FUTURES_ORDER_TYPES = ['LIMIT', 'MARKET', 'IOC', 'FOK', 'POST_ONLY'] as const

/** One of them. */
export type FuturesOrderType = (typeof FUTURES_ORDER_TYPES)[number]

/** Status of an order; `INIT` waits for its condition. */
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

/** An order as requested. */
export interface FuturesOrderDraft {
  readonly contract: Contract
  readonly side: Side
  readonly action: 'OPEN' | 'CLOSE'
  readonly type: FuturesOrderType
  readonly volume: Steps
  /** None for MARKET. */
  readonly price: Ticks | undefined
  /** Requested by the client; default: the account's setting. */
  readonly marginMode: SimulatedMarginMode | undefined
  readonly leverage: number | undefined
  readonly clientOrderId: string | undefined
  readonly trigger: Trigger | undefined
}
