import type { OrderRequest } from '../../domain/orders/order-request.ts'
import type { SpotOrder } from '../../exchange/spot/spot-order.ts'
import { CLOCK_SLACK_MS } from '../clock-slack.ts'
import type { SentOrder } from '../sent-requests.ts'

/** An order searched by its clientOrderId. */
export interface ExpectedOrder {
  readonly request: Pick<OrderRequest, 'symbol' | 'side'>
  /** Server time before which it cannot have reached the exchange, ms UTC. */
  readonly since: number
  /** The sent order, if it was recorded. */
  readonly sent: SentOrder | undefined
}

/**
 * Difference between an order of the exchange under our clientOrderId and the one sent under it, as a part of
 * a sentence; `undefined` if it may be that order. The exchange accepts a repeated clientOrderId.
 */
export function differenceFrom(
  { request, since, sent }: ExpectedOrder,
  found: SpotOrder,
): string | undefined {
  if (found.symbol !== request.symbol) return `it is an order of ${found.symbol}`
  if (found.side !== request.side) return `it is a ${found.side}`
  if (found.time < since - CLOCK_SLACK_MS) return `it is from ${new Date(found.time).toISOString()}`
  if (sent === undefined) return undefined
  if (found.ordered.quantity?.equals(sent.quantity) !== true)
    return `its quantity is ${found.ordered.quantity ?? `${found.ordered.quoteAmount} in quote`}`
  if (sent.price !== undefined && found.price?.equals(sent.price) === false)
    return `its price is ${found.price}`
  return undefined
}
