import type { AccountType } from '../../../../src/domain/instrument.ts'
import type { Amount } from '../../../../src/domain/numbers/amount.ts'
import { baseAmount, notionalOf, priceAmount } from '../../../../src/domain/numbers/grid.ts'
import type { Liquidity } from '../../../../src/domain/orders/fill.ts'
import type { Side } from '../../../../src/domain/orders/side.ts'
import { baseOf, contractsWorth } from '../../../../src/simulator/futures/contract.ts'
import type {
  SimulatedFuturesOrder,
  SimulatedFuturesTrade,
} from '../../../../src/simulator/futures/positions/futures-account.ts'
import type { SimulatedOwnTrade } from '../../../../src/simulator/spot/own-trade.ts'
import type { SimulatedSpotOrder } from '../../../../src/simulator/spot/spot-order.ts'

/** An account that trades pairs. */
export type PairAccount = Exclude<AccountType, 'futures'>

/** An order of any account of the exchange, as it is now. Quantities are base units, prices quote per base. */
export interface ExchangeOrder {
  readonly id: bigint
  readonly clientOrderId: string | undefined
  readonly account: AccountType
  /** As the exchange calls it: a pair, or the name of a contract. */
  readonly symbol: string
  readonly side: Side
  readonly type: SimulatedSpotOrder['type'] | SimulatedFuturesOrder['type']
  readonly status: SimulatedSpotOrder['status'] | SimulatedFuturesOrder['status']
  readonly price: Amount | undefined
  /** `undefined` where it was ordered by an amount of quote. */
  readonly quantity: Amount | undefined
  readonly executed: Amount
  /** Whether it says that it closes contracts; `undefined` of a pair, where nothing does. */
  readonly closes: boolean | undefined
}

/** A trade of any account. */
export interface ExchangeTrade {
  readonly id: string
  readonly order: ExchangeOrder
  readonly liquidity: Liquidity
  /** Base units. */
  readonly quantity: Amount
  /** Quote. */
  readonly worth: Amount
  readonly fee: Amount
  readonly feeAsset: string
}

/** An order of a pair in the words of all accounts. */
export function ofPair(order: SimulatedSpotOrder, account: PairAccount): ExchangeOrder {
  const { id, clientOrderId, side, type, status, instrument, price, size, executedQuantity } = order
  return {
    ...{ id, clientOrderId, side, type, status, account, symbol: instrument.symbol, closes: undefined },
    price: price === undefined ? undefined : priceAmount(instrument, price),
    quantity: size.unit === 'base' ? baseAmount(instrument, size.quantity) : undefined,
    executed: baseAmount(instrument, executedQuantity),
  }
}

/** An order of contracts in the words of all accounts. */
export function ofFutures(order: SimulatedFuturesOrder): ExchangeOrder {
  const { id, clientOrderId, side, type, status, contract, price, size, executedQuantity } = order
  return {
    ...{ id, clientOrderId, side, type, status, account: 'futures', symbol: contract.name },
    closes: order.action === 'CLOSE',
    price: price === undefined ? undefined : priceAmount(contract, price),
    quantity: baseOf(contract, size.quantity),
    executed: baseOf(contract, executedQuantity),
  }
}

/** A trade of a pair in the words of all accounts. */
export function pairTrade(
  { execution, order, liquidity, fee, feeAsset }: SimulatedOwnTrade,
  account: PairAccount,
): ExchangeTrade {
  const { id, price, quantity } = execution
  const { instrument } = order
  return {
    ...{ id: `${id}`, order: ofPair(order, account), liquidity, fee, feeAsset },
    quantity: baseAmount(instrument, quantity),
    worth: notionalOf(instrument, price, quantity),
  }
}

/** A trade of contracts in the words of all accounts. */
export function futuresTrade({ execution, order, liquidity, fee }: SimulatedFuturesTrade): ExchangeTrade {
  const { id, price, volume } = execution
  const { contract } = order
  return {
    ...{ id: `${id}`, order: ofFutures(order), liquidity, fee, feeAsset: contract.quote },
    quantity: baseOf(contract, volume),
    worth: contractsWorth(contract, price, volume),
  }
}
