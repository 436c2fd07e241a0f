import { bookOf } from '../../domain/book-names.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { RiskCheck } from '../risk-check.ts'

/**
 * At most `limit` orders work at once, in the whole account or of the deciding strategy. Reducing orders
 * count, but are never denied.
 */
export function maxWorkingOrders(limit: number, of: 'account' | 'strategy'): RiskCheck {
  return (draft, { working, own }) => {
    if (draft.reduceOnly) return undefined
    const isCounted = ({ request }: Order) => of === 'account' || own.books.includes(bookOf(request))
    const count = working.filter(isCounted).length
    if (count < limit) return undefined
    return {
      rule: 'maxWorkingOrders',
      limit: `${limit} working orders`,
      actual: `${count + 1} working orders`,
      message: `${count} orders work already, and no more than ${limit} may.`,
    }
  }
}
