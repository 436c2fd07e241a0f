import { type Amount, add, ZERO } from '../../../domain/numbers/amount.ts'
import type { EndpointCall, EndpointHandler } from '../../endpoint-call.ts'
import type { JsonValue } from '../../protocol/json-text.ts'
import type { ListedContract } from '../listed-contract.ts'
import { type CrossState, crossStateOf } from '../positions/equity.ts'
import type { FuturesAccount } from '../positions/futures-account.ts'
import { markWorthOf, type Position, realizedOf, unrealizedOf } from '../positions/position.ts'
import { positionEntry } from '../positions/position-entry.ts'
import { accountOf } from './futures-call.ts'
import { numberOf, otherName, ratioOf } from './wire-value.ts'

/** GET /fapi/v1/account: every margin coin, with the contracts a position is held of. */
export const futuresAccount: EndpointHandler = call => {
  const account = accountOf(call)
  const coins = new Set([
    ...account.wallets.keys(),
    ...call.futures.contracts.map(({ contract }) => contract.quote),
  ])
  return { account: [...coins].map(coin => coinEntry(call, account, coin)) }
}

/** Amounts as the supplement's section 9 names them; rates of nothing held are 0. */
function coinEntry(call: EndpointCall, account: FuturesAccount, coin: string): JsonValue {
  const { futures } = call
  const { normal, locked, isolated } = account.wallet(coin)
  const cross = crossStateOf(account, coin, futures.desk.markOf)
  const positions = account.positions(coin)
  const own = positions.filter(({ marginMode }) => marginMode === 'isolated')
  const sum = (items: readonly Position[], amountOf: (position: Position) => Amount) =>
    items.map(amountOf).reduce(add, ZERO)
  const markOf = (position: Position) => futures.desk.markOf(position.contract)
  const profit = (position: Position) => unrealizedOf(position, markOf(position))
  const worth = (position: Position) => markWorthOf(position, markOf(position))
  const partEquity = add(isolated, sum(own, profit))
  return {
    marginCoin: coin,
    accountNormal: numberOf(normal),
    accountLock: numberOf(locked),
    partPositionNormal: numberOf(isolated),
    totalPositionNormal: numberOf(cross.initialMargin),
    achievedAmount: numberOf(sum(positions, realizedOf)),
    unrealizedAmount: numberOf(sum(positions, profit)),
    totalMarginRate: ratioOf(cross.equity, cross.value),
    totalEquity: numberOf(cross.equity),
    partEquity: numberOf(partEquity),
    totalCost: numberOf(sum(cross.positions, ({ cost }) => cost)),
    sumMarginRate: ratioOf(add(cross.equity, partEquity), sum(positions, worth)),
    positionVos: futures.contracts
      .filter(({ contract }) => contract.quote === coin)
      .flatMap(listed => contractEntry(account, listed, cross)),
  }
}

function contractEntry(account: FuturesAccount, listed: ListedContract, cross: CrossState): JsonValue[] {
  const { contract } = listed
  const { long, short } = account.slot(contract)
  const positions = [long, short].filter(position => position !== undefined)
  if (positions.length === 0) return []
  return [
    {
      contractId: contract.id,
      contractName: contract.name,
      contractOtherName: otherName(contract),
      contractSymbol: `${contract.base}-${contract.quote}`,
      positions: positions.map(position => positionEntry(account, listed, position, cross)),
    },
  ]
}
