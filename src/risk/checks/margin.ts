import { rulesOf } from '../../domain/account-rules.ts'
import { amountToText } from '../../domain/numbers/amount.ts'
import { leverageOf } from '../../ledger/contract-margin.ts'
import { costOf } from '../../ledger/reservation.ts'
import { neededText } from '../needed-text.ts'
import type { AccountCheck } from '../risk-check.ts'

/**
 * A futures account needs free money for the initial margin and the largest fee of the whole order, which the
 * exchange demands even if the order closes a position first. Reducing orders always pass.
 */
export const margin: AccountCheck = (draft, view) => {
  const { instrument } = view
  if (rulesOf(instrument).boundBy !== 'margin' || draft.reduceOnly) return undefined
  const needed = costOf(instrument, draft, draft.quantity, instrument.quote)
  const free = view.freeQuote
  if (needed <= free) return undefined
  const limit = `${amountToText(free)} ${instrument.quote}`
  const actual = `${amountToText(needed)} ${instrument.quote}`
  const use = ` for its margin at leverage ${leverageOf(instrument)} and its fee`
  const text = neededText(instrument, draft, needed, use)
  return {
    rule: 'margin',
    limit,
    actual,
    message: `The order needs ${text}, but only ${limit} is free.`,
  }
}
