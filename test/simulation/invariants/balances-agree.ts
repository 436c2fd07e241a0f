import { add, amountToText } from '../../../src/domain/amount.ts'
import type { Scene, Violation } from './scene.ts'

/** Of every asset that is traded, the ledger has what the exchange has. */
export function balancesAgree({ ledger, user, instruments }: Scene): readonly Violation[] {
  const assets = new Set(instruments.flatMap(({ base, quote }) => [base, quote]))
  return [...assets].flatMap(asset => {
    const { free, locked } = user.account.holding(asset)
    const [real, booked] = [add(free, locked), ledger.balances.of(asset)]
    if (real === booked) return []
    return [{ problem: `${asset} is ${amountToText(real)}, booked ${amountToText(booked)}`, about: asset }]
  })
}
