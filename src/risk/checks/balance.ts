import { rulesOf } from '../../domain/account-rules.ts'
import { type Amount, add, amountToText } from '../../domain/numbers/amount.ts'
import { baseAmount } from '../../domain/numbers/grid.ts'
import type { PassedCheck } from '../../domain/orders/denial.ts'
import { costOf } from '../../ledger/reservation.ts'
import { neededText } from '../needed-text.ts'
import { buyBackCost, sellableBase } from '../own-funds.ts'
import type { AccountCheck, OnPassed, Refusal } from '../risk-check.ts'

/**
 * A spot account can only spend its free quote and sell its position: it cannot be short, and other base of
 * the account is not the strategy's to sell. A margin account of own funds may sell that too; the cost of
 * buying it back is then reserved.
 */
export const balance: AccountCheck = (draft, view, passed) => {
  const { instrument } = view
  const { boundBy, canBeShort } = rulesOf(instrument)
  if (boundBy !== 'balance') return undefined
  if (draft.side === 'buy') {
    const needed = costOf(instrument, draft, draft.quantity, instrument.quote)
    const isBuyBack = draft.reduceOnly && canBeShort
    const available = isBuyBack ? add(view.freeQuote, buyBackCost(view)) : view.freeQuote
    return shortfall({ available, needed, asset: instrument.quote }, passed, () =>
      neededText(instrument, draft, needed),
    )
  }
  const needed = baseAmount(instrument, draft.quantity)
  if (draft.reduceOnly)
    return shortfall({ available: view.ownedBase, needed, asset: instrument.base }, passed)
  return canBeShort
    ? beyondOwn({ available: sellableBase(view), needed, asset: instrument.base }, passed)
    : shortSale(needed, instrument.base)
}

/** Exact amounts of one asset. */
interface Funds {
  readonly available: Amount
  readonly needed: Amount
  readonly asset: string
}

function shortfall(
  funds: Funds,
  passed: OnPassed | undefined,
  text = () => figuresOf(funds).actual,
): Refusal | undefined {
  if (funds.needed <= funds.available) {
    passed?.(figuresOf(funds))
    return undefined
  }
  const figures = figuresOf(funds)
  return { ...figures, message: `The order needs ${text()}, but only ${figures.limit} is free.` }
}

function beyondOwn(funds: Funds, passed: OnPassed | undefined): Refusal | undefined {
  if (funds.needed <= funds.available) {
    passed?.(figuresOf(funds))
    return undefined
  }
  const figures = figuresOf(funds)
  const message = `The order would sell ${figures.actual}, but the margin account owns only ${figures.limit} besides its positions, and the interface has no call to borrow with.`
  return { ...figures, message }
}

function figuresOf({ available, needed, asset }: Funds): PassedCheck {
  return {
    rule: 'balance',
    limit: `${amountToText(available)} ${asset}`,
    actual: `${amountToText(needed)} ${asset}`,
  }
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
