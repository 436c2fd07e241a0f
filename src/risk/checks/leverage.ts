import { rulesOf } from '../../domain/account-rules.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { add, amountToText, rateOf, times } from '../../domain/numbers/amount.ts'
import { notionalOf, steps } from '../../domain/numbers/grid.ts'
import { leverageOf } from '../../ledger/contract-margin.ts'
import { expectedPrice } from '../../ledger/reservation.ts'
import type { AccountCheck, Refusal } from '../risk-check.ts'

/**
 * A margin account may hold at most equity × maximum leverage, the order's own fee included, and needs
 * positive equity to open a position. Spot accounts, and those of own funds, are bound by their balance
 * instead, futures accounts by their margin and by the leverage of their contract; reducing orders always
 * pass.
 */
export const leverage: AccountCheck = (draft, view) => {
  const { instrument } = view
  const { boundBy } = rulesOf(instrument)
  if (boundBy === 'balance' || draft.reduceOnly) return undefined
  if (boundBy === 'margin') return outOfBounds(instrument.leverage, leverageOf(instrument))
  const { projectedPosition } = view
  const after = projectedPosition + (draft.side === 'buy' ? draft.quantity : -draft.quantity)
  if (Math.abs(after) <= Math.abs(projectedPosition) && Math.sign(after) !== -Math.sign(projectedPosition))
    return undefined
  const price = expectedPrice(draft.spec, draft.referencePrice)
  const fee = times(notionalOf(instrument, price, draft.quantity), instrument.fees.taker)
  const exposure = add(notionalOf(instrument, price, steps(Math.abs(after))), fee)
  const allowed = times(view.equity, rateOf(instrument.leverage.max))
  if (exposure <= allowed) return undefined
  const limit = `${amountToText(allowed)} ${instrument.quote} (${instrument.leverage.max}x equity)`
  const actual = `${amountToText(exposure)} ${instrument.quote}`
  return {
    rule: 'leverage',
    limit,
    actual,
    message: `The position would be worth ${actual} with its fee, above the ${limit} that the leverage bound allows.`,
  }
}

function outOfBounds({ min, max }: Instrument['leverage'], leverage: number): Refusal | undefined {
  if (leverage >= min && leverage <= max) return undefined
  const limit = `${min}x to ${max}x`
  const actual = `${leverage}x`
  return {
    rule: 'leverage',
    limit,
    actual,
    message: `The account holds the contract at a leverage of ${actual}, but the contract allows ${limit}.`,
  }
}
