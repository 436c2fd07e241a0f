import type { EngineEvent } from '../domain/events/engine-event.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { Amount } from '../domain/numbers/amount.ts'
import type { OrderRequest } from '../domain/orders/order-request.ts'
import type { PresentGrid } from './gateway/present-grid.ts'
import type { TradingCalls } from './gateway/trading-calls.ts'
import type { SentRequest } from './sent-requests.ts'

export interface ExecutionOptions {
  /** Calls for orders, by their symbols. */
  readonly trading: TradingCalls
  /** The estimated exchange time, ms UTC. */
  readonly serverNow: () => number
  readonly instruments: ReadonlyMap<string, Instrument>
  /** Decimals that the exchange takes of a symbol, once it has changed them; default: those of the instrument. */
  readonly presentGrid?: (symbol: string) => PresentGrid | undefined
  /**
   * Base units that an account has free to sell of a symbol whose closing orders are refused, where that is less than its
   * positions; `undefined` where nothing is in the way. Default: nothing ever is.
   */
  readonly sellableOf?: (symbol: string) => Amount | undefined
  /** Largest distance of a market buy from the price at its decision, a fraction. */
  readonly maxSlippageRate: number
  /** Largest delay before an accepted order becomes visible, ms. */
  readonly settlementMarginMs: number
  /**
   * Records a request before it is sent. The returned function commits the record; the transport calls it
   * right before the first byte, and an error of either stops the request.
   */
  readonly onDeparture: (sentRequest: SentRequest) => (() => void) | undefined
  /** Steps of the position that an order closes, by the emitted fills. */
  readonly heldFor: (request: OrderRequest) => number
  /** True while a market exit that an entry must wait for is not over, by the emitted events: also one whose rest is to be sent again. */
  readonly isHeldByExit: (request: OrderRequest) => boolean
  /** Receives order events, in order. */
  readonly emit: (event: EngineEvent) => void
  /** Receives errors of calls; their effect on an order is emitted as events. */
  readonly onError: (error: unknown) => void
}
