import type { Steps, Ticks } from '../numbers/grid.ts'
import type { Protection } from '../signal.ts'
import type { OrderTerms, Purpose } from './order-intent.ts'
import type { Side } from './side.ts'
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
export interface OrderRequest {
  readonly [approved]: true
  readonly clientOrderId: string
  readonly strategy: string
  readonly symbol: string
  /** Book of its position; default: the symbol. */
  readonly book?: string | undefined
  readonly side: Side
  readonly purpose: Purpose
  readonly spec: OrderSpec
  readonly quantity: Steps
  readonly reduceOnly: boolean
  readonly protection?: Protection | undefined
  readonly protects?: string | undefined
  readonly terms?: OrderTerms | undefined
  readonly tag?: string | undefined
  /** Market time of the decision, ms UTC. */
  readonly decidedAt: number
  /** Latest price at the decision. */
  readonly referencePrice: Ticks
}

/** An `OrderRequest` before its approval. */
export type OrderDraft = Omit<OrderRequest, typeof approved>
