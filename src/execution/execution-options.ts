import type { EngineEvent } from '../domain/events/engine-event.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { OrderRequest } from '../domain/orders/order-request.ts'
import type { TradingCalls } from './gateway/trading-calls.ts'
import type { SentRequest } from './sent-requests.ts'

/** What execution needs. */
export interface ExecutionOptions {
  /** Where the orders go, by their symbols. */
  readonly trading: TradingCalls
  /** The exchange's time as far as we know it, ms UTC. */
  readonly serverNow: () => number
  readonly instruments: ReadonlyMap<string, Instrument>
  /** Largest distance of a market buy from the price at its decision, a fraction. */
  readonly maxSlippageRate: number
  /** How long an order that the exchange accepted may stay invisible, ms. */
  readonly settlementMarginMs: number
  /** Notes that a request leaves. The returned function makes the note durable; the transport calls it right before the first byte, and an error that either throws keeps the request back. */
  readonly onDeparture: (sentRequest: SentRequest) => (() => void) | undefined
  /** Steps held of what an order closes, by the fills that were told. */
  readonly heldFor: (request: OrderRequest) => number
  /** Takes what happens to orders, in order. */
  readonly emit: (event: EngineEvent) => void
  /** Takes errors of calls; what they mean for an order is told by events. */
  readonly onError: (error: unknown) => void
}
