import type { Decimal } from '../../domain/numbers/decimal.ts'
import type { Side } from '../../domain/orders/side.ts'
import type { OrderKind } from '../wire/order-kind.ts'

/** Ordered volume: an amount of quote for a market buy, base units for every other order. */
export type OrderedVolume =
  | { readonly quantity: Decimal; readonly quoteAmount?: never }
  | { readonly quoteAmount: Decimal; readonly quantity?: never }

/** Reads `origQty`, whose unit depends on the order (interface section 4.2, New Order, volume). */
export function orderedVolumeOf(kind: OrderKind, side: Side, origQty: Decimal): OrderedVolume {
  return kind === 'market' && side === 'buy' ? { quoteAmount: origQty } : { quantity: origQty }
}
