import { type Refusals, refuseParameter } from '../errors/refused-parameter.ts'

/** An order by the exchange's id, by the client's id (then the latest order with it), or by both. */
export type OrderReference =
  | { readonly symbol: string; readonly orderId: string; readonly clientOrderId?: string }
  | { readonly symbol: string; readonly clientOrderId: string; readonly orderId?: string }

/**
 * Requires one of the ids. The document requires orderId; the exchange also finds an order by its client
 * order id alone (supplement 4).
 */
export function requireOrderReference(
  orderId: string | undefined,
  clientOrderId: string | undefined,
  refusals: Refusals,
): void {
  if (orderId !== undefined || clientOrderId !== undefined) return
  refuseParameter(refusals, 'orderId', 'is required unless a client order id is given')
}
