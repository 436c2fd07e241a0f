import type { AccountType } from '../../../../src/domain/instrument.ts'
import { type Amount, add, amountToText } from '../../../../src/domain/numbers/amount.ts'
import { totalOf } from '../../../../src/simulator/futures/positions/futures-account.ts'
import { contractsOf, heldOnPairs, knownFutures, type Rest, type Violation } from '../scene.ts'
import { isTradedByOthers } from './liquidations-booked-once.ts'

/** Of every asset that is traded, the ledger has what the exchange has, account by account; of contracts unless one is halted, or others have traded the one position that there is of it, so that the exchange counts profits with what they hold. */
export function balancesAgree(scene: Rest): readonly Violation[] {
  const { ledger, past } = scene
  const futures = knownFutures(scene)
  const ofPairs = heldOnPairs(scene).flatMap(({ asset, type, holding: { free, locked } }) =>
    different(asset, type, add(free, locked), ledger.balances.in(type).of(asset)),
  )
  const isMixed = contractsOf(scene).some(
    ({ symbol, futures: terms }) =>
      past.heldBack.isHalted(symbol) || (terms?.positionMode === 'oneWay' && isTradedByOthers(scene, symbol)),
  )
  if (futures === undefined || isMixed) return ofPairs
  const coins = new Set(contractsOf(scene).map(({ quote }) => quote))
  const contracts = [...coins].flatMap(coin =>
    different(coin, 'futures', totalOf(futures.wallet(coin)), ledger.balances.in('futures').of(coin)),
  )
  return [...ofPairs, ...contracts]
}

function different(asset: string, account: AccountType, real: Amount, booked: Amount): readonly Violation[] {
  if (real === booked) return []
  const problem = `${asset} is ${amountToText(real)} on ${account}, booked ${amountToText(booked)}`
  return [{ problem, about: asset }]
}
