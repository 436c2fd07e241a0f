import { rulesOf } from '../../domain/account-rules.ts'
import { type Amount, add, amountToText } from '../../domain/numbers/amount.ts'
import { baseAmount } from '../../domain/numbers/grid.ts'
import { costOf } from '../../ledger/reservation.ts'
import { neededText } from '../needed-text.ts'
import { buyBackCost, sellableBase } from '../own-funds.ts'
import type { AccountCheck, Refusal } from '../risk-check.ts'

/**
 * A spot account can only spend its free quote and sell its position: it cannot be short, and other base of
 * the account is not the strategy's to sell. A margin account of own funds may sell that too; the cost of
 * buying it back is then reserved.
 */
export const balance: AccountCheck = (draft, view) => {
  const { instrument } = view
  const { boundBy, canBeShort } = rulesOf(instrument)
  if (boundBy !== 'balance') return undefined
  if (draft.side === 'buy') {
    const needed = costOf(instrument, draft, draft.quantity, instrument.quote)
    const isBuyBack = draft.reduceOnly && canBeShort
    const available = isBuyBack ? add(view.freeQuote, buyBackCost(view)) : view.freeQuote
    return shortfall(available, needed, instrument.quote, () => neededText(instrument, draft, needed))
  }
  const needed = baseAmount(instrument, draft.quantity)
  if (draft.reduceOnly) return shortfall(view.ownedBase, needed, instrument.base)
  return canBeShort
    ? beyondOwn(sellableBase(view), needed, instrument.base)
    : shortSale(needed, instrument.base)
}

function shortfall(
  available: Amount,
  needed: Amount,
  asset: string,
  text = () => `${amountToText(needed)} ${asset}`,
): Refusal | undefined {
  if (needed <= available) return undefined
  const limit = `${amountToText(available)} ${asset}`
  const actual = `${amountToText(needed)} ${asset}`
  return { rule: 'balance', limit, actual, message: `The order needs ${text()}, but only ${limit} is free.` }
}

function beyondOwn(available: Amount, needed: Amount, base: string): Refusal | undefined {
  if (needed <= available) return undefined
  const limit = `${amountToText(available)} ${base}`
  const actual = `${amountToText(needed)} ${base}`
  const message = `The order would sell ${actual}, but the margin account owns only ${limit} besides its positions, and the interface has no call to borrow with.`
  return { rule: 'balance', limit, actual, message }
}

function shortSale(needed: Amount, base: string): Refusal {
  const actual = `${amountToText(needed)} ${base} short`
  return {
    rule: 'balance',
    limit: `0 ${base} short`,
    actual,
    message: `The order would make the account ${actual}, but a spot account cannot be short.`,
  }
}
