import type { Amount } from '../numbers/amount.ts'
import type { Steps, Ticks } from '../numbers/grid.ts'
import type { CancelCause } from '../orders/cancel-cause.ts'
import type { Denial } from '../orders/denial.ts'
import type { Fill } from '../orders/fill.ts'
import type { Order } from '../orders/order.ts'
import type { OrderRequest } from '../orders/order-request.ts'
import type { Side } from '../orders/side.ts'
import type { RoundTrip } from '../round-trip.ts'
import type { Signal } from '../signal.ts'
import type { SluiceError } from '../sluice-error.ts'
import type { FundingPayment } from './funding-payment.ts'
import type { Liquidation } from './liquidation.ts'
import type { TradingHold, TradingMode, TradingScope } from './trading-hold.ts'

export interface PlaceOrder {
  readonly type: 'placeOrder'
  readonly request: OrderRequest
  /**
   * True if it only waited for earlier orders of its own decision: if one of these traded at an open, it may
   * trade there too.
   */
  readonly followsOn?: true
}

/** Cancel a working order; fills may still arrive until the cancel is confirmed. */
export interface CancelOrder {
  readonly type: 'cancelOrder'
  readonly clientOrderId: string
  readonly symbol: string
  /** Cause, if the order's final event reports it. */
  readonly cause?: CancelCause
}

/** Change the quantity of a working protective order, because its position has grown or a part of it is closed. */
export interface ResizeOrder {
  readonly type: 'resizeOrder'
  readonly clientOrderId: string
  readonly symbol: string
  /** New total quantity. */
  readonly quantity: Steps
}

export type Command = PlaceOrder | CancelOrder | ResizeOrder

/** True for a command; other outputs are notices. */
export function isCommand(output: EngineOutput): output is Command {
  return output.type === 'placeOrder' || output.type === 'cancelOrder' || output.type === 'resizeOrder'
}

/** Types of the signals that take the place of an exit which waits to be sent again. */
export type ReplacingSignal = 'enter' | 'exit' | 'target'

/** The holds on trading changed. */
export interface TradingStateChanged {
  readonly type: 'tradingStateChanged'
  readonly scope: TradingScope
  /** Strictest mode of all holds of the scope, before and after. */
  readonly before: TradingMode
  readonly mode: TradingMode
  /** All current holds of the scope. */
  readonly holds: readonly TradingHold[]
  /** ms UTC. */
  readonly time: number
}

/** A position stays more than a twentieth of equity from its target, because a step of its instrument is worth too much for an order. */
export interface TargetMissed {
  readonly type: 'targetMissed'
  readonly symbol: string
  readonly book: string
  readonly strategy: string
  /** Base that is missing, or too much, once the orders of the decision have traded. */
  readonly missing: Amount
  /** Expected price of an order. */
  readonly price: Ticks
  /** ms UTC. */
  readonly time: number
}

/** Reports of the engine for logs and reports; they need no action. Times are ms UTC. */
export type Notice =
  | {
      readonly type: 'signaled'
      readonly strategy: string
      /** Symbol that the signal is for. */
      readonly symbol: string
      readonly signal: Signal<string>
      readonly time: number
    }
  | { readonly type: 'denied'; readonly denial: Denial; readonly time: number }
  | TargetMissed
  | { readonly type: 'orderChanged'; readonly order: Order; readonly time: number }
  | { readonly type: 'fillBooked'; readonly fill: Fill; readonly order: Order }
  | { readonly type: 'roundTripClosed'; readonly roundTrip: RoundTrip }
  /** Two entries of a group filled before the exchange could cancel one; both positions are kept. */
  | { readonly type: 'groupOverfilled'; readonly first: string; readonly fill: Fill }
  /** The exchange refused a protective order too often; it is sent again at the next retry or kline, and until then the position lacks it. */
  | { readonly type: 'protectionRefused'; readonly order: Order }
  /** An exit at market of which the exchange took a part or nothing goes on with another order for its rest. */
  | {
      readonly type: 'exitSentAgain'
      readonly request: OrderRequest
      /** Quantity that the first order of the exit was to close. */
      readonly total: Steps
      readonly time: number
    }
  /** A signal of its strategy took the place of an exit that waited to be sent again. */
  | {
      readonly type: 'exitReplaced'
      readonly symbol: string
      readonly book: string
      readonly strategy: string
      readonly side: Side
      /** Quantity that the exit had yet to close. */
      readonly quantity: Steps
      readonly by: ReplacingSignal
      readonly time: number
    }
  | {
      readonly type: 'strategyFailed'
      readonly strategy: string
      readonly symbol: string
      /** Book of the failed strategy. */
      readonly book: string
      readonly error: SluiceError
    }
  /** A strategy ended by its own decision; its orders stay. */
  | {
      readonly type: 'strategyEnded'
      readonly strategy: string
      readonly symbol: string
      readonly book: string
      /** Reason, a sentence. */
      readonly why: string
    }
  | { readonly type: 'fundingBooked'; readonly payment: FundingPayment }
  /** Emitted before the fill that closes the position. */
  | { readonly type: 'positionLiquidated'; readonly liquidation: Liquidation; readonly time: number }
  | TradingStateChanged
  | {
      readonly type: 'instrumentHalted'
      readonly symbol: string
      readonly reason: string
      readonly time: number
    }

/** Outputs of `process`, in order. */
export type EngineOutput = Command | Notice
