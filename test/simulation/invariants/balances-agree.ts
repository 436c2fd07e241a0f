import { type Amount, add, amountToText } from '../../../src/domain/amount.ts'
import { totalOf } from '../../../src/simulator/futures/futures-account.ts'
import { isTradedByOthers } from './liquidations-booked-once.ts'
import { contractsOf, knownFutures, pairsOf, type Rest, type Violation } from './scene.ts'

/** Of every asset that is traded, the ledger has what the exchange has, account by account; of contracts unless one is halted, or others have traded the one position that there is of it, so that the exchange counts profits with what they hold. */
export function balancesAgree(scene: Rest): readonly Violation[] {
  const { ledger, user, past } = scene
  const futures = knownFutures(scene)
  const assets = new Map(
    pairsOf(scene).flatMap(({ base, quote, accountType }) => [
      [base, accountType],
      [quote, accountType],
    ]),
  )
  const spot = [...assets].flatMap(([asset, account]) => {
    const { free, locked } = user.account.holding(asset)
    return different(asset, add(free, locked), ledger.balances.in(account).of(asset))
  })
  const isMixed = contractsOf(scene).some(
    ({ symbol, futures: terms }) =>
      past.heldBack.isHalted(symbol) || (terms?.positionMode === 'oneWay' && isTradedByOthers(scene, symbol)),
  )
  if (futures === undefined || isMixed) return spot
  const coins = new Set(contractsOf(scene).map(({ quote }) => quote))
  const contracts = [...coins].flatMap(coin =>
    different(coin, totalOf(futures.wallet(coin)), ledger.balances.in('futures').of(coin)),
  )
  return [...spot, ...contracts]
}

function different(asset: string, real: Amount, booked: Amount): readonly Violation[] {
  if (real === booked) return []
  return [{ problem: `${asset} is ${amountToText(real)}, booked ${amountToText(booked)}`, about: asset }]
}
