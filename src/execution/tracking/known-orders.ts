import type { Instrument } from '../../domain/instrument.ts'
import { stepsOf } from '../../domain/numbers/grid.ts'
import type { CancelCause } from '../../domain/orders/cancel-cause.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { SpotOrder } from '../../exchange/spot/spot-order.ts'
import type { SentRequest } from '../sent-requests.ts'
import type { KnownSlices } from './order-slices.ts'
import { type TrackedOrder, trackedOrder } from './tracked-order.ts'

/** State of a sent order after a restart. */
export interface ResumedOrder {
  /** Its placement, or those of its parts. */
  readonly sentRequests: readonly SentRequest[]
  /** Ids of the trades that are booked. */
  readonly fills: readonly string[]
  readonly cancelWanted: boolean
  readonly cancelCause: CancelCause | undefined
}

/** State of an order with a late part. */
export const ADOPTED: KnownSlices = { isAccepted: true, isLost: false, isIncomplete: false }

/** An order sent whole before a restart. */
export function resumedWhole(
  { request, exchangeOrderId, filledQuantity }: Order,
  instrument: Instrument,
  sentRequest: SentRequest,
  { fills, cancelWanted, cancelCause }: ResumedOrder,
  settlementMarginMs: number,
): TrackedOrder {
  return trackedOrder(instrument, request, sentRequest.timestamp, {
    exchangeOrderId,
    booked: filledQuantity,
    tradeIds: new Set(fills),
    cancelWanted,
    cancelCause,
    sent: sentRequest.sent,
    ...(exchangeOrderId === undefined && { absentAfter: absentAfter(sentRequest, settlementMarginMs) }),
  })
}

/**
 * The parts of an order sent before a restart. The trades of each part were not recorded, so every part is
 * queried, and its trades are counted anew.
 */
export function resumedParts(
  { request }: Order,
  instrument: Instrument,
  { sentRequests, fills, cancelWanted, cancelCause }: ResumedOrder,
  settlementMarginMs: number,
): readonly TrackedOrder[] {
  const told = new Set(fills)
  return sentRequests.map(sentRequest => {
    const { clientOrderId, quantity = request.quantity, timestamp, sent } = sentRequest
    const known = {
      told,
      sent,
      cancelWanted,
      cancelCause,
      absentAfter: absentAfter(sentRequest, settlementMarginMs),
    }
    return trackedOrder(instrument, { ...request, clientOrderId, quantity }, timestamp, known)
  })
}

/**
 * An order, or a part of one, that counted as ended but is at the exchange; it is to be canceled, because the
 * engine has continued without it.
 */
export function adoptedOrder(
  { request, filledQuantity }: Order,
  instrument: Instrument,
  found: SpotOrder,
  fills: readonly string[],
): TrackedOrder {
  const clientOrderId = found.clientOrderId ?? request.clientOrderId
  const cancelWanted = true
  if (clientOrderId === request.clientOrderId) {
    const known = { booked: filledQuantity, tradeIds: new Set(fills), cancelWanted }
    return trackedOrder(instrument, request, request.decidedAt, known)
  }
  // No part is a market buy, the one kind with its size in quote at the exchange.
  const ordered = found.ordered.quantity && stepsOf(instrument, found.ordered.quantity)
  const part = { ...request, clientOrderId, quantity: ordered ?? request.quantity }
  return trackedOrder(instrument, part, request.decidedAt, { told: new Set(fills), cancelWanted })
}

function absentAfter({ timestamp, recvWindowMs }: SentRequest, settlementMarginMs: number): number {
  return timestamp + recvWindowMs + settlementMarginMs
}
