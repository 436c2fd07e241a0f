import type { Steps, Ticks } from '../numbers/grid.ts'
import type { OrderFields } from './order-intent.ts'
import type { TrailingStopSpec } from './trailing-stop.ts'

/**
 * Kinds of limit orders besides resting ones: the rest is canceled at once (`ioc`), complete fill or none
 * (`fok`), maker only (`postOnly`).
 */
export type LimitKind = 'ioc' | 'fok' | 'postOnly'

/** Type and prices of an order, on the instrument's grid. */
export type OrderSpec =
  | { readonly type: 'market' }
  | { readonly type: 'limit'; readonly price: Ticks; readonly kind?: LimitKind }
  | { readonly type: 'stop'; readonly stopPrice: Ticks }
  | { readonly type: 'stopLimit'; readonly stopPrice: Ticks; readonly price: Ticks }
  | { readonly type: 'ifTouched'; readonly triggerPrice: Ticks }
  | TrailingStopSpec

declare const approved: unique symbol

/**
 * An order approved by risk: on the grid and ready to be placed. Only `assess` in `src/risk` can create one.
 */
export interface OrderRequest extends OrderFields {
  readonly [approved]: true
  readonly spec: OrderSpec
  readonly quantity: Steps
}

/** An `OrderRequest` before its approval. */
export type OrderDraft = Omit<OrderRequest, typeof approved>

/** Trigger price of an order that trades at market once triggered: the latest price known then. */
export function triggerOf(spec: OrderSpec): Ticks | undefined {
  switch (spec.type) {
    case 'stop':
      return spec.stopPrice
    case 'ifTouched':
      return spec.triggerPrice
    default:
      return undefined
  }
}
