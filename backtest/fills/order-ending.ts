import type { LimitKind, OrderRequest } from '../../src/domain/orders/order-request.ts'

/**
 * Why the market ends an order: `maxVolumeShare` and `recordedMarket` had no more for it, its kind of limit order must not
 * rest, or the `balance` did not cover it at its price.
 */
export type OrderEnding = LimitKind | 'maxVolumeShare' | 'recordedMarket' | 'balance'

/** The reason of each ending, as the order's last event says it. */
export const ENDING_REASONS: Readonly<Record<OrderEnding, string>> = {
  maxVolumeShare:
    'The volume of the kline did not cover all of it; the rest of an order at market is canceled, as at the exchange.',
  recordedMarket:
    'The market had no more for it at once, and what must not rest is canceled, as at the exchange.',
  balance: 'The balance did not cover the whole order at the price it traded at.',
  ioc: 'An IOC order cancels what it cannot trade at once.',
  fok: 'A FOK order trades all of its quantity at once, or nothing.',
  postOnly: 'A post-only order would have taken from the book.',
}

/** Ending of an order that the recorded market has ended. */
export function recordedEnding({ spec }: OrderRequest): OrderEnding {
  return (spec.type === 'limit' ? spec.kind : undefined) ?? 'recordedMarket'
}
