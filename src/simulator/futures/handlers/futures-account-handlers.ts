import { type Amount, add, ZERO } from '../../../domain/numbers/amount.ts'
import type { EndpointHandler, IncomingCall } from '../../incoming-call.ts'
import type { JsonValue } from '../../protocol/json-text.ts'
import type { ListedContract } from '../listed-contract.ts'
import { type CrossEquity, crossStateOf } from '../positions/equity.ts'
import type { FuturesAccount } from '../positions/futures-account.ts'
import { markWorthOf, realizedOf, type SimulatedPosition, unrealizedOf } from '../positions/position.ts'
import { positionEntry } from '../positions/position-entry.ts'
import { accountOf } from './futures-call.ts'
import { exactNumberOf, otherName, ratioOf } from './wire-value.ts'

/** GET /fapi/v1/account: every margin coin, with the contracts of its positions. */
export const futuresAccount: EndpointHandler = call => {
  const account = accountOf(call)
  const coins = new Set([
    ...account.wallets.keys(),
    ...call.futures.contracts.map(({ contract }) => contract.quote),
  ])
  return { account: [...coins].map(coin => coinEntry(call, account, coin)) }
}

/** Amounts by the names of the supplement's section 9; rates without a position are 0. */
function coinEntry(call: IncomingCall, account: FuturesAccount, coin: string): JsonValue {
  const { futures } = call
  const { normal, locked, isolated } = account.wallet(coin)
  const cross = crossStateOf(account, coin, futures.orders.markOf)
  const positions = account.positions(coin)
  const own = positions.filter(({ marginMode }) => marginMode === 'isolated')
  const sum = (items: readonly SimulatedPosition[], amountOf: (position: SimulatedPosition) => Amount) =>
    items.map(amountOf).reduce(add, ZERO)
  const markOf = (position: SimulatedPosition) => futures.orders.markOf(position.contract)
  const profit = (position: SimulatedPosition) => unrealizedOf(position, markOf(position))
  const worth = (position: SimulatedPosition) => markWorthOf(position, markOf(position))
  const partEquity = add(isolated, sum(own, profit))
  return {
    marginCoin: coin,
    accountNormal: exactNumberOf(normal),
    accountLock: exactNumberOf(locked),
    partPositionNormal: exactNumberOf(isolated),
    totalPositionNormal: exactNumberOf(cross.initialMargin),
    achievedAmount: exactNumberOf(sum(positions, realizedOf)),
    unrealizedAmount: exactNumberOf(sum(positions, profit)),
    totalMarginRate: ratioOf(cross.equity, cross.value),
    totalEquity: exactNumberOf(cross.equity),
    partEquity: exactNumberOf(partEquity),
    totalCost: exactNumberOf(sum(cross.positions, ({ cost }) => cost)),
    sumMarginRate: ratioOf(add(cross.equity, partEquity), sum(positions, worth)),
    positionVos: futures.contracts
      .filter(({ contract }) => contract.quote === coin)
      .flatMap(listed => contractEntry(account, listed, cross)),
  }
}

function contractEntry(account: FuturesAccount, listed: ListedContract, cross: CrossEquity): JsonValue[] {
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
