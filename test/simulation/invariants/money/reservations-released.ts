import { type Amount, amountToText, subtract } from '../../../../src/domain/numbers/amount.ts'
import { contractsOf, heldOnPairs, type Scene, type Violation } from '../scene.ts'

/** Where no entry works any more, neither side keeps anything back. */
export function reservationsReleased(scene: Scene): readonly Violation[] {
  const { ledger, futures } = scene
  const ofPairs = heldOnPairs(scene).flatMap(({ asset, type, holding }) => [
    ...kept(asset, subtract(ledger.balances.in(type).of(asset), ledger.free(asset, type))),
    ...locked(asset, holding.locked),
  ])
  if (futures === undefined) return ofPairs
  const coins = new Set(contractsOf(scene).map(({ quote }) => quote))
  const contracts = [...coins].flatMap(coin => [
    ...kept(coin, ledger.reserved(coin, 'futures')),
    ...locked(coin, futures.wallet(coin).locked),
  ])
  return [...ofPairs, ...contracts]
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
