import { rulesOf } from '../../domain/account-rules.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, add, amountToText, rateOf, times } from '../../domain/numbers/amount.ts'
import { notionalOf, steps } from '../../domain/numbers/grid.ts'
import type { PassedCheck } from '../../domain/orders/denial.ts'
import { leverageOf } from '../../ledger/contract-margin.ts'
import { expectedPrice } from '../../ledger/reservation.ts'
import type { AccountCheck, OnPassed, Refusal } from '../risk-check.ts'

/**
 * A margin account may hold at most equity × maximum leverage, the order's own fee included, and needs
 * positive equity to open a position. Spot accounts, and those of own funds, are bound by their balance
 * instead, futures accounts by their margin and by the leverage of their contract; reducing orders always
 * pass.
 */
export const leverage: AccountCheck = (draft, view, passed) => {
  const { instrument } = view
  const { boundBy } = rulesOf(instrument)
  if (boundBy === 'balance' || draft.reduceOnly) return undefined
  if (boundBy === 'margin') return outOfBounds(instrument.leverage, leverageOf(instrument), passed)
  const { projectedPosition } = view
  const after = projectedPosition + (draft.side === 'buy' ? draft.quantity : -draft.quantity)
  if (Math.abs(after) <= Math.abs(projectedPosition) && Math.sign(after) !== -Math.sign(projectedPosition))
    return undefined
  const price = expectedPrice(draft.spec, draft.referencePrice)
  const fee = times(notionalOf(instrument, price, draft.quantity), instrument.fees.taker)
  const exposure = add(notionalOf(instrument, price, steps(Math.abs(after))), fee)
  const allowed = times(view.equity, rateOf(instrument.leverage.max))
  if (exposure <= allowed) {
    passed?.(figuresOf(instrument, allowed, exposure))
    return undefined
  }
  const figures = figuresOf(instrument, allowed, exposure)
  const message = `The position would be worth ${figures.actual} with its fee, above the ${figures.limit} that the leverage bound allows.`
  return { ...figures, message }
}

function figuresOf({ quote, leverage: { max } }: Instrument, allowed: Amount, exposure: Amount): PassedCheck {
  return {
    rule: 'leverage',
    limit: `${amountToText(allowed)} ${quote} (${max}x equity)`,
    actual: `${amountToText(exposure)} ${quote}`,
  }
}

function outOfBounds(
  { min, max }: Instrument['leverage'],
  leverage: number,
  passed: OnPassed | undefined,
): Refusal | undefined {
  if (leverage >= min && leverage <= max) {
    passed?.(contractFigures(min, max, leverage))
    return undefined
  }
  const figures = contractFigures(min, max, leverage)
  const message = `The account holds the contract at a leverage of ${figures.actual}, but the contract allows ${figures.limit}.`
  return { ...figures, message }
}

function contractFigures(min: number, max: number, leverage: number): PassedCheck {
  return { rule: 'leverage', limit: `${min}x to ${max}x`, actual: `${leverage}x` }
}
