import type { Purpose } from '../../domain/orders/order-intent.ts'
import type { OrderDraft } from '../../domain/orders/order-request.ts'
import type { RiskCheck } from '../risk-check.ts'

/** Closes by the operator or by the end of a run pass even a halt. */
const FROM_ABOVE: ReadonlySet<Purpose> = new Set(['operator', 'ruin', 'endOfData'])

/**
 * While reducing only reducing orders pass; while halted only protective orders, and closes by the operator
 * or the end of a run.
 */
export const tradingState: RiskCheck = (draft, view) => {
  const { mode } = view
  if (mode === 'active') return undefined
  if (mode === 'reducing' ? draft.reduceOnly : passesHalt(draft)) return undefined
  const reasons = view.holds.map(({ reason }) => reason).join(' ')
  return {
    rule: 'tradingState',
    limit: mode === 'reducing' ? 'orders that reduce a position' : 'orders that protect a position',
    actual: draft.reduceOnly ? 'an order that reduces' : 'an order that may open a position',
    message: `Trading is ${mode}. ${reasons}`,
  }
}

function passesHalt({ protects, reduceOnly, purpose }: OrderDraft): boolean {
  return reduceOnly && (protects !== undefined || FROM_ABOVE.has(purpose))
}
