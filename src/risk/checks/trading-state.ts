import type { TradingMode } from '../../domain/events/trading-hold.ts'
import type { PassedCheck } from '../../domain/orders/denial.ts'
import type { Purpose } from '../../domain/orders/order-intent.ts'
import type { OrderDraft } from '../../domain/orders/order-request.ts'
import type { RiskCheck } from '../risk-check.ts'

/** Closes by the operator or by the end of a run pass even a halt. */
const FROM_ABOVE: ReadonlySet<Purpose> = new Set(['operator', 'ruin', 'endOfData'])

/**
 * While reducing only reducing orders pass; while halted only protective orders, and closes by the operator
 * or the end of a run.
 */
export const tradingState: RiskCheck = (draft, view, passed) => {
  const { mode } = view
  if (mode === 'active' || (mode === 'reducing' ? draft.reduceOnly : passesHalt(draft))) {
    passed?.(figuresOf(mode, draft))
    return undefined
  }
  const reasons = view.holds.map(({ reason }) => reason).join(' ')
  return { ...figuresOf(mode, draft), message: `Trading is ${mode}. ${reasons}` }
}

/** Orders that pass, by the mode of trading. */
const PASSING: Readonly<Record<TradingMode, string>> = {
  active: 'every order',
  reducing: 'orders that reduce a position',
  halted: 'orders that protect a position',
}

function figuresOf(mode: TradingMode, { reduceOnly }: OrderDraft): PassedCheck {
  return {
    rule: 'tradingState',
    limit: PASSING[mode],
    actual: reduceOnly ? 'an order that reduces' : 'an order that may open a position',
  }
}

function passesHalt({ protects, reduceOnly, purpose }: OrderDraft): boolean {
  return reduceOnly && (protects !== undefined || FROM_ABOVE.has(purpose))
}
