import { z } from 'zod'
import { depthLevelField, depthOf, type ExchangeDepth, type ExchangeDepthLevel } from '../spot/depth.ts'
import { listField } from '../wire/list-field.ts'
import { decimalField, textField, timeField } from '../wire/wire-field.ts'

/** The order book of a futures contract; quantities in base units. */
export interface ContractBook extends ExchangeDepth {
  readonly tickerId: string
}

/** A level with named fields; the document's table calls the quantity `amount`, its payload `size`. */
const namedLevel = z
  .object({ price: decimalField, amount: decimalField.optional(), size: decimalField.optional() })
  .transform(({ price, amount, size }, context): ExchangeDepthLevel => {
    const quantity = amount ?? size
    if (quantity !== undefined) return { price, quantity }
    context.addIssue({ code: 'custom', path: ['amount'], message: 'is missing' })
    return z.NEVER
  })

const levels = listField(z.union([depthLevelField, namedLevel]))
const sides = z.object({ bids: levels, asks: levels })
const identity = { ticker_id: textField, timestamp: timeField }

/** Answer of the futures order-book feed; sibling hosts send both sides without `orderbook` around them. */
export const contractBookResponse = z
  .union([
    z.object({ ...identity, orderbook: sides }),
    sides.extend(identity).transform(({ bids, asks, ...wire }) => ({ ...wire, orderbook: { bids, asks } })),
  ])
  .transform(
    ({ ticker_id, timestamp, orderbook }): ContractBook => ({
      ...depthOf(orderbook.bids, orderbook.asks, timestamp),
      tickerId: ticker_id,
    }),
  )
