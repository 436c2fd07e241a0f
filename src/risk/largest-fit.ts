import { rulesOf } from '../domain/account-rules.ts'
import type { Instrument } from '../domain/instrument.ts'
import { notionalOf, type Steps, steps, type Ticks } from '../domain/numbers/grid.ts'
import { expectedPrice, isCapped } from '../ledger/reservation.ts'
import { balance } from './checks/balance.ts'
import { leverage } from './checks/leverage.ts'
import { margin } from './checks/margin.ts'
import { worstBuyPrice } from './own-funds.ts'
import type { AccountCheck, SizedDraft } from './risk-check.ts'
import type { RiskView } from './risk-view.ts'

const ACCOUNT_CHECKS: readonly AccountCheck[] = [leverage, balance, margin]

/**
 * Steps of an order that its account can pay for, borrow or back: its whole quantity, or the largest part
 * that passes the account's checks. The whole quantity also if that part is below the exchange's minimum:
 * risk then denies it with the reason.
 */
export function largestFit(draft: SizedDraft, view: RiskView): Steps {
  return fittingPart(draft, view) ?? draft.quantity
}

/** The same, but `undefined` if that part is below the exchange's minimum. */
export function fittingPart(draft: SizedDraft, view: RiskView): Steps | undefined {
  const fits = (quantity: number) => fitsAccount({ ...draft, quantity: steps(quantity) }, view)
  if (fits(draft.quantity)) return draft.quantity
  // Smaller quantities always fit better, so that bisection finds the largest fit.
  let fitting = 0
  let tooMany: number = draft.quantity
  while (tooMany - fitting > 1) {
    const middle = fitting + Math.floor((tooMany - fitting) / 2)
    if (fits(middle)) fitting = middle
    else tooMany = middle
  }
  const price = expectedPrice(draft.spec, draft.referencePrice)
  return isTaken(view.instrument, price, steps(fitting)) ? steps(fitting) : undefined
}

/**
 * Steps of an entry sized by equity. If its account could pay for it at the expected price, but not at the
 * worst price that a running bot allows, it is the largest quantity payable at that price; otherwise its
 * whole quantity.
 */
export function fitAtSlippage(draft: SizedDraft, view: RiskView): Steps {
  if (!isCapped(view.instrument, draft)) return draft.quantity
  const price = expectedPrice(draft.spec, draft.referencePrice)
  return fitsAccount({ ...draft, spec: { type: 'limit', price } }, view)
    ? largestFit(draft, view)
    : draft.quantity
}

/**
 * Steps of a close at market that its account can pay for. A short on own funds may cost more than there is to buy it
 * back with: then it is the largest part payable at the worst price of such an order. Otherwise, and if that part is
 * below the exchange's minimum, it is the whole quantity.
 */
export function payableClose(draft: SizedDraft, view: RiskView): Steps {
  const { instrument } = view
  if (draft.side !== 'buy' || rulesOf(instrument).boundBy !== 'balance') return draft.quantity
  if (fitsAccount(draft, view)) return draft.quantity
  const price = worstBuyPrice(instrument, draft.referencePrice)
  return largestFit({ ...draft, spec: { type: 'limit', price } }, view)
}

function fitsAccount(draft: SizedDraft, view: RiskView): boolean {
  return ACCOUNT_CHECKS.every(check => check(draft, view) === undefined)
}

/** True if the exchange accepts an order of that quantity. */
export function isTaken(instrument: Instrument, price: Ticks, quantity: Steps): boolean {
  return (
    quantity > 0 &&
    quantity >= instrument.minQuantity &&
    notionalOf(instrument, price, quantity) >= instrument.minNotional
  )
}
