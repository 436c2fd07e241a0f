import { type Amount, add, subtract } from '../../../domain/numbers/amount.ts'
import { priceAmount } from '../../../domain/numbers/grid.ts'
import { oppositeOf } from '../../../domain/orders/side.ts'
import type { JsonValue } from '../../protocol/json-text.ts'
import { contractInitialMargin, keepRateOf, maxFeeRateOf } from '../contract.ts'
import { exactNumberOf, marginCode, ratioOf, wireSide, wireTime } from '../handlers/wire-value.ts'
import type { ListedContract } from '../listed-contract.ts'
import { closingVolume } from '../orders/order-check.ts'
import { type CrossEquity, keepOf, openAmountOf } from './equity.ts'
import type { FuturesAccount } from './futures-account.ts'
import { positionLiquidationPrice } from './liquidation-price.ts'
import {
  averagePrice,
  markWorthOf,
  realizedOf,
  type SimulatedPosition,
  sideOf,
  unrealizedOf,
} from './position.ts'

/** A position as the account query shows it, by the formulas of the supplement's section 9; `cross` is its account's state. */
export function positionEntry(
  account: FuturesAccount,
  { contract, mark }: ListedContract,
  position: SimulatedPosition,
  cross: CrossEquity,
): JsonValue {
  const value = markWorthOf(position, mark)
  const profit = unrealizedOf(position, mark)
  const isCross = position.marginMode === 'cross'
  const margin = isCross ? crossMarginOf(cross, profit, keepOf(position, mark)) : position.margin
  const closingSide = oppositeOf(sideOf(position))
  return {
    ...identityOf(account, position),
    ...pastOf(position),
    holdAmount: exactNumberOf(isCross ? contractInitialMargin(value, position.leverage) : position.margin),
    openAmount: exactNumberOf(openAmountOf(position)),
    pendingCloseVolume: closingVolume(account.slot(contract), closingSide, account.records.openOrders),
    marginRate: ratioOf(isCross ? cross.equity : add(margin, profit), value),
    reducePrice: exactNumberOf(positionLiquidationPrice(position, margin)),
    returnRate: ratioOf(profit, openAmountOf(position)),
    unRealizedAmount: exactNumberOf(profit),
    openRealizedAmount: exactNumberOf(profit),
    positionBalance: exactNumberOf(value),
    indexPrice: exactNumberOf(priceAmount(contract, mark)),
    keepRate: exactNumberOf(keepRateOf(contract, value)),
    maxFeeRate: exactNumberOf(maxFeeRateOf(contract)),
  }
}

/** Equity behind a cross position without its own profit, after the maintenance margin of the others. */
function crossMarginOf(cross: CrossEquity, profit: Amount, keep: Amount): Amount {
  return subtract(subtract(cross.equity, profit), subtract(cross.maintenance, keep))
}

function identityOf(account: FuturesAccount, position: SimulatedPosition) {
  const { contract } = position
  return {
    id: position.id,
    uid: account.uid,
    contractId: contract.id,
    contractName: contract.name,
    positionType: marginCode(position.marginMode),
    side: wireSide(sideOf(position)),
    volume: position.volume,
    leverageLevel: position.leverage,
    freezeLock: 0,
    status: 1,
    ctime: wireTime(position.openTime),
    mtime: wireTime(position.changeTime),
    lockTime: wireTime(position.openTime),
    brokerId: 0,
  }
}

/**
 * `realizedAmount` is the profit of the closed part so far; profits are never settled before a position is
 * closed.
 */
function pastOf(position: SimulatedPosition) {
  const { contract } = position
  const average = (value: Amount, volume: SimulatedPosition['volume']) =>
    exactNumberOf(averagePrice(contract, value, volume))
  return {
    openPrice: average(position.openedValue, position.openedVolume),
    avgPrice: average(position.cost, position.volume),
    closePrice: average(position.closedValue, position.closedVolume),
    closeVolume: position.closedVolume,
    realizedAmount: exactNumberOf(position.closeProfit),
    historyRealizedAmount: exactNumberOf(realizedOf(position)),
    tradeFee: exactNumberOf(position.tradeFee),
    capitalFee: exactNumberOf(position.capitalFee),
    closeProfit: exactNumberOf(position.closeProfit),
    shareAmount: exactNumberOf(position.shareAmount),
    settleProfit: 0,
  }
}
