import type { OrderTimes } from '../order-times.ts'
import type { RiskCheck } from '../risk-check.ts'
import type { OrderRate } from '../risk-rules.ts'

/** At most `count` orders within `perMs` of market time. Reducing orders count, but are never denied. */
export function maxOrders({ count, perMs }: OrderRate, times: OrderTimes): RiskCheck {
  return ({ reduceOnly, decidedAt }) => {
    if (reduceOnly || !(times.oldest > decidedAt - perMs)) return undefined
    const within = `within ${perMs / 1000} s`
    return {
      rule: 'maxOrders',
      limit: `${count} orders ${within}`,
      actual: `${count + 1} orders ${within}`,
      message: `There were ${count} orders ${within} already; more of them may not open a position.`,
    }
  }
}
