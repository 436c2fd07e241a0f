import type { Steps } from '../numbers/grid.ts'
import type { CancelCause } from '../orders/cancel-cause.ts'
import type { Denial } from '../orders/denial.ts'
import type { Fill } from '../orders/fill.ts'
import type { Order } from '../orders/order.ts'
import type { OrderRequest } from '../orders/order-request.ts'
import type { RoundTrip } from '../round-trip.ts'
import type { Signal } from '../signal.ts'
import type { SluiceError } from '../sluice-error.ts'
import type { FundingPayment } from './funding-payment.ts'
import type { Liquidation } from './liquidation.ts'
import type { TradingHold, TradingMode, TradingScope } from './trading-hold.ts'

/** Send a new order. */
export interface PlaceOrder {
  readonly type: 'placeOrder'
  readonly request: OrderRequest
  /** It has only waited for earlier orders of its own decision: where one of these traded at an open, it may trade there too. */
  readonly followsOn?: true
}

/** Take a working order back; fills may still arrive until the cancel is confirmed. */
export interface CancelOrder {
  readonly type: 'cancelOrder'
  readonly clientOrderId: string
  readonly symbol: string
  /** Why, where the order's end shall tell. */
  readonly cause?: CancelCause
}

/** Make a working protective order smaller, because a part of what it protects is gone. */
export interface ResizeOrder {
  readonly type: 'resizeOrder'
  readonly clientOrderId: string
  readonly symbol: string
  /** New total quantity. */
  readonly quantity: Steps
}

/** What the engine wants done. */
export type Command = PlaceOrder | CancelOrder | ResizeOrder

/** Whether an output is to be carried out; it is a notice otherwise. */
export function isCommand(output: EngineOutput): output is Command {
  return output.type === 'placeOrder' || output.type === 'cancelOrder' || output.type === 'resizeOrder'
}

/** What holds trading back has changed. */
export interface TradingStateChanged {
  readonly type: 'tradingStateChanged'
  readonly scope: TradingScope
  /** The strictest of all holds of the scope, before and now. */
  readonly before: TradingMode
  readonly mode: TradingMode
  /** All holds of the scope now. */
  readonly holds: readonly TradingHold[]
  /** ms UTC. */
  readonly time: number
}

/** What the engine reports, for logs and reports; nobody has to act on it. Times are ms UTC. */
export type Notice =
  | {
      readonly type: 'signaled'
      readonly strategy: string
      /** What the signal is about. */
      readonly symbol: string
      readonly signal: Signal<string>
      readonly time: number
    }
  | { readonly type: 'denied'; readonly denial: Denial; readonly time: number }
  | { readonly type: 'orderChanged'; readonly order: Order; readonly time: number }
  | { readonly type: 'fillBooked'; readonly fill: Fill; readonly order: Order }
  | { readonly type: 'roundTripClosed'; readonly roundTrip: RoundTrip }
  /** Two entries of a group both filled before the exchange could cancel one of them; what both hold is kept. */
  | { readonly type: 'groupOverfilled'; readonly first: string; readonly fill: Fill }
  | {
      readonly type: 'strategyFailed'
      readonly symbol: string
      /** The book of the strategy that failed. */
      readonly book: string
      readonly error: SluiceError
    }
  /** A strategy has nothing more to decide, and said so itself; its orders stay. */
  | {
      readonly type: 'strategyEnded'
      readonly symbol: string
      readonly book: string
      /** A sentence. */
      readonly why: string
    }
  | { readonly type: 'fundingBooked'; readonly payment: FundingPayment }
  /** Comes before the fill that closes the position. */
  | { readonly type: 'positionLiquidated'; readonly liquidation: Liquidation; readonly time: number }
  | TradingStateChanged
  | {
      readonly type: 'instrumentHalted'
      readonly symbol: string
      readonly reason: string
      readonly time: number
    }

/** Everything `process` returns, in order. */
export type EngineOutput = Command | Notice
