import { z } from 'zod'
import { listField } from '../wire/list-field.ts'
import { WIRE_SIDE } from '../wire/order-kind.ts'
import {
  idField,
  nameParameter,
  orderIdParameter,
  positiveDecimalField,
  symbolParameter,
} from '../wire/wire-field.ts'
import { type LimitPlacement, type MarketBuy, type MarketSell, placementFields } from './order-placement.ts'
import { requireField } from './spot-order-request.ts'

/** Most orders in one batch (interface section 8). */
const MAX_BATCH = 10

type WithoutIdentity<Placement> = Omit<Placement, 'symbol' | 'clientOrderId'>

/**
 * One order of a batch: limit or market, without a client order id, because the batch has no field for it.
 */
export type BatchPlacement =
  | WithoutIdentity<MarketBuy>
  | WithoutIdentity<MarketSell>
  | WithoutIdentity<LimitPlacement & { readonly type: 'limit' }>

/** Wire fields of a batch entry. */
export function batchEntry(placement: BatchPlacement) {
  const { price, volume, side, type } = placementFields({ ...placement, symbol: '' })
  return { price, volume, side, batchType: type }
}

const batchEntryRequest = z
  .object({
    price: positiveDecimalField.optional(),
    volume: positiveDecimalField,
    side: nameParameter(Object.values(WIRE_SIDE)),
    batchType: nameParameter(['LIMIT', 'MARKET']),
  })
  .check(({ value: { batchType, price }, issues }) => {
    if (batchType === 'LIMIT') requireField('price', price, batchType, issues)
  })

/** Body of Batch Orders (interface section 4.2). */
export const batchOrdersRequest = z.object({
  symbol: symbolParameter,
  orders: z
    .array(batchEntryRequest, 'is required, as a list of orders')
    .min(1, 'must have at least 1 order')
    .max(MAX_BATCH, `must have at most ${MAX_BATCH} orders`),
})

/** Body of Batch Cancel; `orderIds` is text with a JSON array of ids. */
export const batchCancelRequest = z.object({
  symbol: symbolParameter,
  orderIds: z
    .preprocess(
      ids => (typeof ids === 'string' ? idsIn(ids) : ids),
      z
        .array(orderIdParameter, {
          error: ({ input }) =>
            input === undefined ? 'is required' : 'must be a list of order ids of digits',
        })
        .min(1, 'must have at least 1 order id')
        .max(MAX_BATCH, `must have at most ${MAX_BATCH} order ids`),
    )
    .transform(ids => `[${ids.join(',')}]`),
})

/** Answer of Batch Orders: the ids of the accepted orders. */
export const placedBatchResponse = z
  .object({ idsString: listField(idField).optional(), ids: listField(idField).optional() })
  .transform(({ idsString, ids }, context): readonly string[] => {
    const taken = idsString?.length ? idsString : (ids ?? idsString)
    if (taken !== undefined) return taken
    context.addIssue({ code: 'custom', path: ['idsString'], message: 'a batch needs the ids of its orders' })
    return z.NEVER
  })

/** Outcome of a batch of cancels, by order id. */
export interface CanceledBatch {
  readonly canceled: readonly string[]
  /** Orders that are unknown to the exchange or have already ended. */
  readonly failed: readonly string[]
}

/** Answer of Batch Cancel. */
export const canceledBatchResponse = z
  .object({ success: listField(idField), failed: listField(idField) })
  .transform(({ success, failed }): CanceledBatch => ({ canceled: success, failed }))

/** The ids in `[1,2]` or `1,2`. */
function idsIn(text: string): string[] {
  return text
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map(id => id.trim().replace(/^"|"$/g, ''))
    .filter(id => id !== '')
}
