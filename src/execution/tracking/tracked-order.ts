import type { Instrument } from '../../domain/instrument.ts'
import { NO_STEPS, type Steps } from '../../domain/numbers/grid.ts'
import type { CancelCause } from '../../domain/orders/cancel-cause.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'
import type { SentOrder } from '../sent-requests.ts'

/** Execution of an order that the exchange tells, and does not list all trades of. */
export interface UnlistedExecution {
  /** First answer that told more than is listed, ms UTC. */
  readonly since: number
  /** Steps filled by the latest answer. */
  readonly executed: Steps
  /** True once it lasts for longer than a moment. */
  readonly isLasting: boolean
}

/** A sent order, and the executor's state of it. */
export interface TrackedOrder {
  readonly request: OrderRequest
  readonly instrument: Instrument
  /** Server time before which it cannot have reached the exchange, ms UTC. */
  readonly since: number
  /**
   * Content of the placement; `undefined` before it is sent, and for one sent before contents were recorded.
   */
  sent: SentOrder | undefined
  /** True if its placement was sent, as far as recorded. */
  wasSent: boolean
  /** Known once the exchange confirmed the order. */
  exchangeOrderId: string | undefined
  /** Steps of the fills reported to the engine. */
  booked: Steps
  /** Executed quantity that no listed trade shows yet, since lists may lag behind orders; `undefined` while all is booked. */
  unlisted: UnlistedExecution | undefined
  /** Trades that `booked` counts. */
  readonly tradeIds: Set<string>
  /** Trades that the engine has received, counted here or not. */
  readonly told: ReadonlySet<string>
  /** True once the engine wants more than the sent quantity. */
  isShort: boolean
  /** True once a cancel is wanted. */
  cancelWanted: boolean
  /** Cause of the cancel, for its final event. */
  cancelCause: CancelCause | undefined
  /** Server time after which an order that no query finds does not exist (any more), ms UTC. */
  absentAfter: number
  /** Aborts its placement until that is sent. */
  readonly withdrawal: AbortController
  /** True while a query is pending. */
  busy: boolean
}

const NOTHING: ReadonlySet<string> = new Set()

/** A new tracked order, before its placement is sent. */
export function trackedOrder(
  instrument: Instrument,
  request: OrderRequest,
  since: number,
  known: Partial<
    Pick<
      TrackedOrder,
      | 'wasSent'
      | 'sent'
      | 'exchangeOrderId'
      | 'booked'
      | 'tradeIds'
      | 'told'
      | 'cancelWanted'
      | 'cancelCause'
      | 'absentAfter'
    >
  > = {},
): TrackedOrder {
  return {
    request,
    instrument,
    since,
    wasSent: true,
    sent: undefined,
    exchangeOrderId: undefined,
    booked: NO_STEPS,
    unlisted: undefined,
    tradeIds: new Set(),
    told: NOTHING,
    isShort: false,
    cancelWanted: false,
    cancelCause: undefined,
    absentAfter: Number.POSITIVE_INFINITY,
    withdrawal: new AbortController(),
    busy: false,
    ...known,
  }
}
