import { amountToText, divide } from '../../domain/numbers/amount.ts'
import { baseAmount, priceText, quantityText } from '../../domain/numbers/grid.ts'
import { exactJsonNumber } from '../protocol/json-text.ts'
import type { SimulatedOwnTrade } from './own-trade.ts'
import { isOpen, type SimulatedSpotOrder } from './spot-order.ts'

/** The concatenated spelling of a symbol in answers about orders and own trades. */
function upperSymbol({ instrument }: SimulatedSpotOrder): string {
  return `${instrument.base}${instrument.quote}`
}

/** Identity of an order in an answer; `"0"` without a client order id. */
export function orderIdentity(order: SimulatedSpotOrder) {
  return { symbol: upperSymbol(order), orderId: order.id, clientOrderId: order.clientOrderId ?? '0' }
}

/** An order in the answer to its placement, before any execution. */
export function placedOrder(order: SimulatedSpotOrder) {
  return {
    ...orderIdentity(order),
    transactTime: order.time.toString(),
    price: orderPrice(order),
    origQty: orderedVolume(order),
    executedQty: '0',
    type: order.type,
    side: wireSide(order),
  }
}

/** All fields of an order except its time. */
export function orderEntry(order: SimulatedSpotOrder) {
  return {
    ...orderIdentity(order),
    orderIdString: order.id.toString(),
    price: orderPrice(order),
    origQty: orderedVolume(order),
    executedQty: quantityText(order.instrument, order.executedQuantity),
    avgPrice: averagePrice(order),
    status: order.status,
    type: order.type,
    side: wireSide(order),
  }
}

/** An order in a list; `isWorking` while it is on the book. */
export function listedOrder(order: SimulatedSpotOrder) {
  const { instrument, triggerPrice, workingSince } = order
  return {
    ...orderEntry(order),
    time: order.time.toString(),
    stopPrice: triggerPrice === undefined ? 0 : exactJsonNumber(priceText(instrument, triggerPrice)),
    isWorking: isOpen(order) && workingSince !== undefined,
  }
}

/** An own trade, without the users on both sides. */
export function tradeEntry({ execution, order, liquidity, fee, feeAsset }: SimulatedOwnTrade) {
  const { maker, taker } = execution
  const [bid, ask] = maker.side === 'buy' ? [maker, taker] : [taker, maker]
  return {
    symbol: upperSymbol(order),
    id: execution.id,
    bidId: bid.id,
    askId: ask.id,
    price: priceText(order.instrument, execution.price),
    qty: quantityText(order.instrument, execution.quantity),
    time: execution.time,
    isBuyer: order === bid,
    isMaker: liquidity === 'maker',
    feeCoin: feeAsset,
    fee: amountToText(fee),
  }
}

/** The users on both sides of a trade; it is self-dealt between any two accounts of one user. */
export function tradeUsers({ execution: { maker, taker } }: SimulatedOwnTrade) {
  const [bid, ask] = maker.side === 'buy' ? [maker, taker] : [taker, maker]
  const [bidUserId, askUserId] = [bid.account.uid, ask.account.uid]
  return { bidUserId, askUserId, isSelf: bidUserId === askUserId }
}

function wireSide({ side }: SimulatedSpotOrder): string {
  return side === 'buy' ? 'BUY' : 'SELL'
}

function orderPrice({ instrument, price }: SimulatedSpotOrder): string {
  return price === undefined ? '0' : priceText(instrument, price)
}

/** Quote for a market buy, base otherwise. */
function orderedVolume({ instrument, size }: SimulatedSpotOrder): string {
  return size.unit === 'quote' ? amountToText(size.amount) : quantityText(instrument, size.quantity)
}

/** Cut at 18 decimals. */
function averagePrice({ instrument, executedQuantity, executedNotional }: SimulatedSpotOrder): string {
  return executedQuantity === 0
    ? '0'
    : amountToText(divide(executedNotional, baseAmount(instrument, executedQuantity)))
}
