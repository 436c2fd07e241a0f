import { rulesOf } from '../../domain/account-rules.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, amountToText } from '../../domain/numbers/amount.ts'
import type { PassedCheck } from '../../domain/orders/denial.ts'
import { leverageOf } from '../../ledger/contract-margin.ts'
import { costOf } from '../../ledger/reservation.ts'
import { neededText } from '../needed-text.ts'
import type { AccountCheck } from '../risk-check.ts'

/**
 * A futures account needs free money for the initial margin and the largest fee of the whole order, which the
 * exchange demands even if the order closes a position first. Reducing orders always pass.
 */
export const margin: AccountCheck = (draft, view, passed) => {
  const { instrument } = view
  if (rulesOf(instrument).boundBy !== 'margin' || draft.reduceOnly) return undefined
  const needed = costOf(instrument, draft, draft.quantity, instrument.quote)
  const free = view.freeQuote
  if (needed <= free) {
    passed?.(figuresOf(instrument, free, needed))
    return undefined
  }
  const use = ` for its margin at leverage ${leverageOf(instrument)} and its fee`
  const text = neededText(instrument, draft, needed, use)
  const figures = figuresOf(instrument, free, needed)
  return { ...figures, message: `The order needs ${text}, but only ${figures.limit} is free.` }
}

function figuresOf({ quote }: Instrument, free: Amount, needed: Amount): PassedCheck {
  return {
    rule: 'margin',
    limit: `${amountToText(free)} ${quote}`,
    actual: `${amountToText(needed)} ${quote}`,
  }
}
