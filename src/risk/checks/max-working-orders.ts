import { bookOf } from '../../domain/book-names.ts'
import type { PassedCheck } from '../../domain/orders/denial.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { RiskCheck } from '../risk-check.ts'

/**
 * At most `limit` orders work at once, in the whole account or of the deciding strategy. Reducing orders
 * count, but are never denied.
 */
export function maxWorkingOrders(limit: number, of: 'account' | 'strategy'): RiskCheck {
  return (draft, { working, own }, passed) => {
    if (draft.reduceOnly) return undefined
    const isCounted = ({ request }: Order) => of === 'account' || own.books.includes(bookOf(request))
    const count = working.filter(isCounted).length
    if (count < limit) {
      passed?.(figuresOf(limit, count))
      return undefined
    }
    return {
      ...figuresOf(limit, count),
      message: `${count} orders work already, and no more than ${limit} may.`,
    }
  }
}

function figuresOf(limit: number, count: number): PassedCheck {
  return {
    rule: 'maxWorkingOrders',
    limit: `${limit} working orders`,
    actual: `${count + 1} working orders`,
  }
}
