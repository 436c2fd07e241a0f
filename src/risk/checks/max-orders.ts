import type { PassedCheck } from '../../domain/orders/denial.ts'
import type { OrderTimes } from '../order-times.ts'
import type { RiskCheck } from '../risk-check.ts'
import type { OrderRate } from '../risk-rules.ts'

/** At most `count` orders within `perMs` of market time. Reducing orders count, but are never denied. */
export function maxOrders({ count, perMs }: OrderRate, times: OrderTimes): RiskCheck {
  return ({ reduceOnly, decidedAt }, _view, passed) => {
    if (reduceOnly) return undefined
    const from = decidedAt - perMs
    if (!(times.oldest > from)) {
      passed?.(figuresOf({ count, perMs }, times.snapshot().filter(time => time > from).length))
      return undefined
    }
    const figures = figuresOf({ count, perMs }, count)
    const message = `There were ${count} orders within ${perMs / 1000} s already; more of them may not open a position.`
    return { ...figures, message }
  }
}

function figuresOf({ count, perMs }: OrderRate, before: number): PassedCheck {
  const within = `within ${perMs / 1000} s`
  return { rule: 'maxOrders', limit: `${count} orders ${within}`, actual: `${before + 1} orders ${within}` }
}
