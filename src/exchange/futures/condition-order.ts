import { z } from 'zod'
import { listField } from '../wire/list-field.ts'
import { idField } from '../wire/wire-field.ts'

/**
 * Accepted condition order: an order by the documents, on live hosts a trigger that places an order later.
 */
export type PlacedConditionOrder =
  | { readonly type: 'order'; readonly orderId: string }
  | { readonly type: 'trigger'; readonly triggerIds: readonly string[] }

const ids = listField(idField).optional()

/** Answer of a condition order, in both forms. */
export const conditionOrderResponse = z
  .object({ orderId: idField.nullish(), triggerIds: ids, ids })
  .transform(({ orderId, triggerIds = [], ids = [] }, context): PlacedConditionOrder => {
    if (triggerIds.length > 0) return { type: 'trigger', triggerIds }
    const id = orderId ?? ids[0]
    if (typeof id === 'string') return { type: 'order', orderId: id }
    context.addIssue({ code: 'custom', path: ['orderId'], message: 'a placed order needs an id' })
    return z.NEVER
  })
