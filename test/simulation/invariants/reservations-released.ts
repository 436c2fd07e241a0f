import { amountToText } from '../../../src/domain/amount.ts'
import type { Scene, Violation } from './scene.ts'

/** Where no entry works any more, neither side keeps anything back. */
export function reservationsReleased({ ledger, user, instruments }: Scene): readonly Violation[] {
  const assets = new Set(instruments.flatMap(({ base, quote }) => [base, quote]))
  return [...assets].flatMap(asset => {
    const [own, { locked }] = [ledger.reserved(asset), user.account.holding(asset)]
    const isFree = ledger.free(asset) === ledger.balances.of(asset)
    return [
      ...(own === 0n && isFree
        ? []
        : [{ problem: `${amountToText(own)} ${asset} is still reserved`, about: asset }]),
      ...(locked === 0n
        ? []
        : [{ problem: `the exchange locks ${amountToText(locked)} ${asset}`, about: asset }]),
    ]
  })
}
