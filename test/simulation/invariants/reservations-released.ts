import { type Amount, amountToText, subtract } from '../../../src/domain/amount.ts'
import { contractsOf, pairsOf, type Scene, type Violation } from './scene.ts'

/** Where no entry works any more, neither side keeps anything back. */
export function reservationsReleased(scene: Scene): readonly Violation[] {
  const { ledger, user, futures } = scene
  const assets = new Map(
    pairsOf(scene).flatMap(({ base, quote, accountType }) => [
      [base, accountType],
      [quote, accountType],
    ]),
  )
  const spot = [...assets].flatMap(([asset, account]) => [
    ...kept(asset, subtract(ledger.balances.in(account).of(asset), ledger.free(asset, account))),
    ...locked(asset, user.account.holding(asset).locked),
  ])
  if (futures === undefined) return spot
  const coins = new Set(contractsOf(scene).map(({ quote }) => quote))
  const contracts = [...coins].flatMap(coin => [
    ...kept(coin, ledger.reserved(coin, 'futures')),
    ...locked(coin, futures.wallet(coin).locked),
  ])
  return [...spot, ...contracts]
}

function kept(asset: string, amount: Amount): readonly Violation[] {
  return amount === 0n
    ? []
    : [{ problem: `${amountToText(amount)} ${asset} is still reserved`, about: asset }]
}

function locked(asset: string, amount: Amount): readonly Violation[] {
  return amount === 0n
    ? []
    : [{ problem: `the exchange locks ${amountToText(amount)} ${asset}`, about: asset }]
}
