import { SluiceError } from '../../domain/sluice-error.ts'
import type { SpotOrder } from '../../exchange/spot/spot-order.ts'

/** The exchange has another order under the clientOrderId of a placement without an answer. */
export class DuplicateIdError extends SluiceError {
  readonly symbol: string

  /** `difference`: difference of the found order, as a part of a sentence. */
  constructor(symbol: string, { orderId, clientOrderId }: SpotOrder, difference: string) {
    super(
      `The exchange has order ${orderId} of ${symbol} under the clientOrderId ${clientOrderId}, whose placement got no answer, but it is not the order that left: ${difference}. It is not booked as ours. Look at the orders of ${symbol} at the exchange, see that no other program sends the ids of this bot, and resume ${symbol}.`,
      { code: 'DUPLICATE_ID', reaction: 'skip' },
    )
    this.symbol = symbol
  }
}
