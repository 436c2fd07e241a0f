import type { FuturesExchange } from '../../../src/simulator/futures/futures-exchange.ts'
import type {
  FuturesAccount,
  SimulatedFuturesOrder,
} from '../../../src/simulator/futures/positions/futures-account.ts'
import type { SimulatedPosition } from '../../../src/simulator/futures/positions/position.ts'
import type { JsonValue } from '../../../src/simulator/protocol/json-text.ts'

/**
 * The full state of a futures exchange as plain data: markets, money, positions and orders of all accounts.
 */
export function futuresStateOf(futures: FuturesExchange): JsonValue {
  const { house, fees } = futures.clearing
  return {
    now: futures.now,
    contracts: futures
      .awakeContracts()
      .map(({ contract, mark, index, nextFundingAt, lastFundingRate, tape }) => {
        return { name: contract.name, mark, index, nextFundingAt, lastFundingRate, prints: tape.count }
      }),
    accounts: [house, fees, ...futures.accounts].map(accountState),
  }
}

function accountState(account: FuturesAccount): JsonValue {
  return {
    uid: account.uid,
    wallets: Object.fromEntries([...account.wallets].map(([coin, wallet]) => [coin, { ...wallet }])),
    positions: account.positions().map(positionState),
    closedPositions: [...account.closedPositions.oldestFirst()].map(positionState),
    waiting: account.records.openOrders.map(orderState),
    finished: [...account.records.finished()].map(orderState),
    transactions: [...account.transactions.oldestFirst()].map(({ contract, ...transaction }) => {
      return { ...transaction, contract: contract?.name }
    }),
  }
}

function positionState({ contract, ...position }: SimulatedPosition): JsonValue {
  return { ...position, contract: contract.name }
}

function orderState({ account, contract, trigger, ...order }: SimulatedFuturesOrder): JsonValue {
  return { ...order, contract: contract.name, account: account.uid, trigger: trigger && { ...trigger } }
}
