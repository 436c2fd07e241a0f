import type { FillSettings } from '../models/fill-settings.ts'
import { passes } from './execution-price.ts'
import type { ModelOrder } from './model-order.ts'
import type { OrderEnding } from './order-ending.ts'

/**
 * Why a limit order may not rest after its first open, at which a price was `offered`; `undefined` if
 * it may.
 */
export function endingAtOpen(
  order: ModelOrder,
  offered: number,
  settings: FillSettings,
): OrderEnding | undefined {
  const { kind, limitPrice } = order
  if (kind === undefined) return undefined
  const isMarketable = limitPrice !== undefined && passes(order, offered, limitPrice, settings)
  return kind === 'postOnly' && !isMarketable ? undefined : kind
}
