import type { LimitKind } from '../../src/domain/orders/order-request.ts'
import type { FillSettings } from '../models/fill-settings.ts'
import { passes } from './execution-price.ts'
import type { ModelOrder } from './model-order.ts'

/** Why an order ends at its first open, by its kind. */
const ENDINGS: Readonly<Record<LimitKind, string>> = {
  ioc: 'An IOC order cancels what it cannot trade at once.',
  fok: 'A FOK order trades all of its quantity at once, or nothing.',
  postOnly: 'A post-only order would have taken from the book.',
}

/**
 * Reason that a limit order may not rest after its first open, at which a price was `offered`; `undefined` if
 * it may.
 */
export function endingAtOpen(order: ModelOrder, offered: number, settings: FillSettings): string | undefined {
  const { kind, limitPrice } = order
  if (kind === undefined) return undefined
  const isMarketable = limitPrice !== undefined && passes(order, offered, limitPrice, settings)
  return kind === 'postOnly' && !isMarketable ? undefined : ENDINGS[kind]
}
