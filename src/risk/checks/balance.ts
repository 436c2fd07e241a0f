import { rulesOf } from '../../domain/account-rules.ts'
import { type Amount, add, amountToText, negate, ZERO } from '../../domain/numbers/amount.ts'
import { baseAmount, priceText } from '../../domain/numbers/grid.ts'
import type { PassedCheck } from '../../domain/orders/denial.ts'
import { costOf } from '../../ledger/reservation.ts'
import { neededText } from '../needed-text.ts'
import { buyBackCost, sellableBase, type WayOut, wayOutOf } from '../own-funds.ts'
import type { AccountCheck, OnPassed, Refusal } from '../risk-check.ts'
import type { RiskView } from '../risk-view.ts'

/**
 * A spot account can only spend its free quote and sell its position: it cannot be short, and other base of
 * the account is not the strategy's to sell. A margin account of own funds may sell that too; the cost of
 * buying it back is then reserved.
 */
export const balance: AccountCheck = (draft, view, passed) => {
  const { instrument } = view
  const { boundBy, canBeShort } = rulesOf(instrument)
  if (boundBy !== 'balance') return undefined
  if (canBeShort && !draft.reduceOnly && view.ownedBase < ZERO) return owedBase(view)
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
  if (!canBeShort) return shortSale(needed, instrument.base)
  const wayOut = wayOutOf(draft, view)
  return (
    beyondOwn({ available: sellableBase(view), needed, asset: instrument.base }, passed) ??
    (wayOut && withoutWayOut(wayOut, view))
  )
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

/** A purchase would only repay what the account owes, and the position could not be sold afterwards. */
function owedBase({ instrument, ownedBase }: RiskView): Refusal {
  const { base, symbol } = instrument
  const owed = `${amountToText(negate(ownedBase))} ${base}`
  return {
    rule: 'balance',
    limit: `0 ${base} owed`,
    actual: `${owed} owed`,
    message: `The margin account owes ${owed} by the books of this bot, so that it opens nothing of ${symbol}: a purchase would repay that at the exchange instead of opening a position. Buy ${owed} by hand at the exchange, or start with a new journal once the account owes nothing.`,
  }
}

/** A short that the account could not buy back is not opened: it would have no stop-loss, and no exit. */
function withoutWayOut({ cost, proceeds, stopPrice }: WayOut, view: RiskView): Refusal | undefined {
  const { instrument, freeQuote } = view
  const available = add(freeQuote, proceeds)
  if (cost <= available) return undefined
  const { quote } = instrument
  const [limit, actual] = [`${amountToText(available)} ${quote}`, `${amountToText(cost)} ${quote}`]
  const at =
    stopPrice === undefined
      ? 'at the price of the entry'
      : `at its stop-loss ${priceText(instrument, stopPrice)}`
  const costs = instrument.maxSlippageRate === undefined ? 'fees' : 'slippage and fees'
  const message = `Buying the short back ${at} may take ${actual} with ${costs}, but with what the sale brings (${amountToText(proceeds)} ${quote}) only ${limit} would be free, and the interface has no call to borrow with. Enter a smaller short, or bring ${quote} into the account.`
  return { rule: 'balance', limit, actual, message }
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
