import type { EndpointHandler } from '../../incoming-call.ts'
import { ApiError } from '../../protocol/api-error.ts'
import { contractsWorth } from '../contract.ts'
import { FUTURES_ORDER_TYPES, type FuturesOrderStatus } from '../orders/futures-order-draft.ts'
import type { SimulatedFuturesOrder, SimulatedFuturesTrade } from '../positions/futures-account.ts'
import { averagePrice, realizedOf, type SimulatedPosition, sideOf } from '../positions/position.ts'
import { accountOf, contractOf, optionalContract, pageOf } from './futures-call.ts'
import { findFuturesOrder } from './futures-order-handlers.ts'
import {
  averageOf,
  exactNumberOf,
  marginCode,
  priceNumber,
  wireSide,
  wireStatus,
  wireTime,
} from './wire-value.ts'

/** Status numbers of order histories (supplement sections 4 and 8); none is published for a rejection. */
const STATUS_CODES: Readonly<Record<FuturesOrderStatus, number>> = {
  INIT: 0,
  NEW: 1,
  FILLED: 2,
  PARTIALLY_FILLED: 3,
  CANCELED: 4,
  REJECTED: 4,
  EXPIRED: 6,
}
/** Number of orders in the answer to an order query without an id. */
const LISTED_ORDERS = 100

/** GET /fapi/v1/order: always a list; of one order if `orderId` or `clientOrderId` is given, else of the latest. */
export const queryFuturesOrder: EndpointHandler = call => {
  const { parameters } = call
  const isMeant = parameters.text('orderId') ?? parameters.text('clientOrderId')
  if (isMeant !== undefined) return [orderDetails(findFuturesOrder(call))]
  const { contract } = contractOf(call)
  const { records } = accountOf(call)
  return [...records.openOrders, ...records.finished()]
    .filter(order => order.contract === contract)
    .toSorted(newestFirst)
    .slice(0, LISTED_ORDERS)
    .map(orderDetails)
}

/** GET /fapi/v1/openOrders, newest first; conditions that wait are among them, with the status `INIT`. */
export const openFuturesOrders: EndpointHandler = call => {
  const listed = optionalContract(call)
  return accountOf(call)
    .records.openOrders.filter(({ contract }) => listed === undefined || contract === listed.contract)
    .map(orderEntry)
}

/** POST /fapi/v1/orderHistorical: finished orders. */
export const orderHistory: EndpointHandler = call => {
  const listed = optionalContract(call)
  const orders = accountOf(call)
    .records.finished()
    .filter(({ contract }) => listed === undefined || contract === listed.contract)
    .toArray()
    .toSorted(newestFirst)
  return pageOf(orders, ({ id }) => id, call.parameters).map(historicalOrder)
}

/** POST /fapi/v1/profitHistorical: closed positions; the window is of their closing times. */
export const profitHistory: EndpointHandler = call => {
  const { parameters } = call
  const listed = optionalContract(call)
  const [from, to] = [parameters.integer('startTime'), parameters.integer('endTime')]
  if ((from === undefined) !== (to === undefined)) {
    throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', from === undefined ? 'startTime' : 'endTime')
  }
  const positions = accountOf(call)
    .closedPositions.newestFirst()
    .filter(({ contract }) => listed === undefined || contract === listed.contract)
    .filter(({ changeTime }) => changeTime >= (from ?? changeTime) && changeTime <= (to ?? changeTime))
  return pageOf(positions, ({ id }) => BigInt(id), parameters).map(profitEntry)
}

/** GET /fapi/v1/myTrades */
export const myFuturesTrades: EndpointHandler = call => {
  const listed = optionalContract(call)
  const trades = accountOf(call)
    .records.trades()
    .filter(({ order }) => listed === undefined || order.contract === listed.contract)
  return pageOf(trades, ({ execution }) => BigInt(execution.id), call.parameters).map(tradeEntry)
}

function newestFirst(left: SimulatedFuturesOrder, right: SimulatedFuturesOrder): number {
  return left.id < right.id ? 1 : -1
}

function orderEntry(order: SimulatedFuturesOrder) {
  const { contract, trigger, type } = order
  const condition = trigger && {
    triggerType: trigger.direction === 'up' ? '3UP' : '4DOWN',
    triggerPrice: priceNumber(contract, trigger.price),
  }
  return {
    side: wireSide(order.side),
    executedQty: order.executedQuantity,
    orderId: order.id,
    price: priceNumber(contract, order.price),
    origQty: order.size.quantity,
    avgPrice: averageOf(order),
    transactTime: order.time,
    action: order.action,
    contractName: contract.name,
    type: type === 'MARKET' ? type : 'LIMIT',
    timeInForce: type === 'MARKET' || type === 'LIMIT' ? '' : type,
    status: wireStatus(order),
    clientId: order.clientOrderId ?? '0',
    clientOrderId: order.clientOrderId ?? '0',
    ...condition,
  }
}

/** An order as its query shows it. */
export function orderDetails(order: SimulatedFuturesOrder) {
  return {
    ...orderEntry(order),
    symbol: `${order.contract.base}-${order.contract.quote}`,
    tradeFee: exactNumberOf(order.fee),
    realizedAmount: exactNumberOf(order.realized),
  }
}

function feeRates({ open, close }: SimulatedFuturesOrder['contract']['fees']) {
  return {
    openTakerFeeRate: exactNumberOf(open.taker),
    openMakerFeeRate: exactNumberOf(open.maker),
    closeTakerFeeRate: exactNumberOf(close.taker),
    closeMakerFeeRate: exactNumberOf(close.maker),
  }
}

function historicalOrder(order: SimulatedFuturesOrder) {
  const { contract } = order
  return {
    side: wireSide(order.side),
    clientId: order.clientOrderId ?? '0',
    ctimeMs: order.time,
    positionType: marginCode(order.marginMode),
    orderId: order.id,
    avgPrice: averageOf(order),
    openOrClose: order.action,
    leverageLevel: order.leverage,
    type: FUTURES_ORDER_TYPES.indexOf(order.type) + 1,
    volume: order.size.quantity,
    dealVolume: order.executedQuantity,
    price: priceNumber(contract, order.price),
    contractId: contract.id,
    ctime: wireTime(order.time),
    contractName: contract.name,
    ...feeRates(contract.fees),
    dealMoney: exactNumberOf(order.executedValue),
    status: STATUS_CODES[order.status],
    realizedAmount: exactNumberOf(order.realized),
    fee: exactNumberOf(order.fee),
  }
}

/** `realizedAmount` is that of an open position: zero here, as in the documented answer. */
function profitEntry(position: SimulatedPosition) {
  const { contract, closedVolume, openedVolume } = position
  return {
    side: wireSide(sideOf(position)),
    positionType: marginCode(position.marginMode),
    tradeFee: exactNumberOf(position.tradeFee),
    realizedAmount: 0,
    leverageLevel: position.leverage,
    openPrice: exactNumberOf(averagePrice(contract, position.openedValue, openedVolume)),
    settleProfit: 0,
    mtime: position.changeTime,
    shareAmount: exactNumberOf(position.shareAmount),
    openEndPrice: exactNumberOf(averagePrice(contract, position.openedValue, openedVolume)),
    closePrice: exactNumberOf(averagePrice(contract, position.closedValue, closedVolume)),
    closeProfit: exactNumberOf(position.closeProfit),
    volume: closedVolume,
    contractId: contract.id,
    contractName: contract.name,
    historyRealizedAmount: exactNumberOf(realizedOf(position)),
    ctime: position.openTime,
    id: position.id,
    capitalFee: exactNumberOf(position.capitalFee),
    freezeLock: position.isLiquidated ? 1 : 0,
  }
}

/** The field table has `tradeId`, its sample `id`. */
function tradeEntry({ execution, order, liquidity, fee }: SimulatedFuturesTrade) {
  const { maker, taker, price, volume } = execution
  const { contract } = order
  const [bid, ask] = maker.side === 'buy' ? [maker, taker] : [taker, maker]
  return {
    symbol: `${contract.base}-${contract.quote}`,
    tradeId: execution.id,
    id: execution.id,
    bidId: bid.id,
    askId: ask.id,
    bidUserId: bid.account.uid,
    askUserId: ask.account.uid,
    price: priceNumber(contract, price),
    qty: volume,
    amount: exactNumberOf(contractsWorth(contract, price, volume)),
    time: execution.time,
    fee: exactNumberOf(fee),
    side: wireSide(order.side),
    contractName: contract.name,
    isMaker: liquidity === 'maker',
    isBuyer: order === bid,
  }
}
