import { type Amount, amountToText } from '../../domain/amount.ts'
import { baseAmount } from '../../domain/grid.ts'
import { costOf } from '../../ledger/reservation.ts'
import type { Refusal, RiskCheck } from '../risk-check.ts'

/**
 * A spot account can only spend what is free and sell what its position holds: it cannot be short, and base that it
 * owns besides is not the strategy's to sell.
 */
export const balance: RiskCheck = (draft, view) => {
  const { instrument } = view
  if (instrument.accountType !== 'spot') return undefined
  if (draft.side === 'buy') {
    return shortfall(
      view.freeQuote,
      costOf(instrument, draft, draft.quantity, instrument.quote),
      instrument.quote,
    )
  }
  const needed = baseAmount(instrument, draft.quantity)
  return draft.reduceOnly
    ? shortfall(view.ownedBase, needed, instrument.base)
    : shortSale(needed, instrument.base)
}

function shortfall(available: Amount, needed: Amount, asset: string): Refusal | undefined {
  if (needed <= available) return undefined
  const limit = `${amountToText(available)} ${asset}`
  const actual = `${amountToText(needed)} ${asset}`
  return { rule: 'balance', limit, actual, message: `The order needs ${actual}, but only ${limit} is free.` }
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
