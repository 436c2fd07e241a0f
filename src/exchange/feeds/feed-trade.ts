import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import type { Side } from '../../domain/orders/side.ts'
import { partialListField } from '../wire/list-field.ts'
import { sideField } from '../wire/order-kind.ts'
import { decimalField, idField, integerField, timeField } from '../wire/wire-field.ts'
import { feedSymbolParameters, requireFeedSymbol } from './feed-symbol.ts'

/** A public print of a feed. */
export interface FeedTrade {
  readonly id: string
  readonly side: Side
  readonly price: Decimal
  /** Base units. */
  readonly quantity: Decimal
  /** As reported; on a documented payload it is not price × quantity. */
  readonly quoteAmount: Decimal
  /** ms UTC. */
  readonly time: number
}

/** Query of the deals feed. */
export const feedTradesRequest = z
  .object({ ...feedSymbolParameters, trades: integerField(1).optional() })
  .check(requireFeedSymbol)

const wireTrade = z.object({
  trade_id: idField,
  type: sideField,
  price: decimalField,
  base_volume: decimalField,
  quote_volume: decimalField.optional(),
  /** Another spelling of `quote_volume`. */
  Quote_volume: decimalField.optional(),
  timestamp: timeField,
})

const trade = wireTrade.transform((wire, context): FeedTrade => {
  const quoteAmount = wire.quote_volume ?? wire.Quote_volume
  if (quoteAmount === undefined) {
    context.addIssue({ code: 'custom', path: ['quote_volume'], message: 'is missing' })
    return z.NEVER
  }
  const { trade_id, type, price, base_volume, timestamp } = wire
  return { id: trade_id, side: type, price, quantity: base_volume, quoteAmount, time: timestamp }
})

/** Answer of the deals feed, newest first. */
export const feedTradesResponse = partialListField(trade, 'trade_id').transform(({ entries }) => entries)
