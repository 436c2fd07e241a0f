import { type Amount, add, subtract } from '../../../domain/numbers/amount.ts'
import { priceAmount } from '../../../domain/numbers/grid.ts'
import { oppositeOf } from '../../../domain/orders/side.ts'
import type { JsonValue } from '../../protocol/json-text.ts'
import { initialMargin, keepRateOf, maxFeeRateOf } from '../contract.ts'
import { marginCode, numberOf, ratioOf, wireSide, wireTime } from '../handlers/wire-value.ts'
import type { ListedContract } from '../listed-contract.ts'
import { closingVolume } from '../orders/order-check.ts'
import { type CrossState, keepOf, openAmountOf } from './equity.ts'
import type { FuturesAccount } from './futures-account.ts'
import { liquidationPrice } from './liquidation-price.ts'
import { averagePrice, markWorthOf, type Position, realizedOf, sideOf, unrealizedOf } from './position.ts'

/** A position as the account query shows it, by the formulas of the supplement's section 9; `cross` is its account's state. */
export function positionEntry(
  account: FuturesAccount,
  { contract, mark }: ListedContract,
  position: Position,
  cross: CrossState,
): JsonValue {
  const value = markWorthOf(position, mark)
  const profit = unrealizedOf(position, mark)
  const isCross = position.marginMode === 'cross'
  const margin = isCross ? crossMarginOf(cross, profit, keepOf(position, mark)) : position.margin
  const closingSide = oppositeOf(sideOf(position))
  return {
    ...identityOf(account, position),
    ...pastOf(position),
    holdAmount: numberOf(isCross ? initialMargin(value, position.leverage) : position.margin),
    openAmount: numberOf(openAmountOf(position)),
    pendingCloseVolume: closingVolume(account.slot(contract), closingSide, account.records.openOrders),
    marginRate: ratioOf(isCross ? cross.equity : add(margin, profit), value),
    reducePrice: numberOf(liquidationPrice(position, margin)),
    returnRate: ratioOf(profit, openAmountOf(position)),
    unRealizedAmount: numberOf(profit),
    openRealizedAmount: numberOf(profit),
    positionBalance: numberOf(value),
    indexPrice: numberOf(priceAmount(contract, mark)),
    keepRate: numberOf(keepRateOf(contract, value)),
    maxFeeRate: numberOf(maxFeeRateOf(contract)),
  }
}

/** Equity behind a cross position without its own profit, after the maintenance margin of the others. */
function crossMarginOf(cross: CrossState, profit: Amount, keep: Amount): Amount {
  return subtract(subtract(cross.equity, profit), subtract(cross.maintenance, keep))
}

function identityOf(account: FuturesAccount, position: Position) {
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
function pastOf(position: Position) {
  const { contract } = position
  const average = (value: Amount, volume: Position['volume']) =>
    numberOf(averagePrice(contract, value, volume))
  return {
    openPrice: average(position.openedValue, position.openedVolume),
    avgPrice: average(position.cost, position.volume),
    closePrice: average(position.closedValue, position.closedVolume),
    closeVolume: position.closedVolume,
    realizedAmount: numberOf(position.closeProfit),
    historyRealizedAmount: numberOf(realizedOf(position)),
    tradeFee: numberOf(position.tradeFee),
    capitalFee: numberOf(position.capitalFee),
    closeProfit: numberOf(position.closeProfit),
    shareAmount: numberOf(position.shareAmount),
    settleProfit: 0,
  }
}
