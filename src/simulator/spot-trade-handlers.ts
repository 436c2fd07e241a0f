import { amountToText, divide } from '../domain/amount.ts'
import { baseAmount, priceText, quantityText } from '../domain/grid.ts'
import { ApiError } from './api-error.ts'
import { type EndpointCall, type EndpointHandler, userOf } from './endpoint-call.ts'
import type { JsonValue } from './json-text.ts'
import type { OwnTrade } from './own-trade.ts'
import { isOpen, type SpotOrder } from './spot-order.ts'
import { readSpotOrder } from './spot-order-parameters.ts'

/** The concatenated spelling of a symbol in answers about orders and own trades. */
function upperSymbol({ instrument }: SpotOrder): string {
  return `${instrument.base}${instrument.quote}`
}

/**
 * POST /sapi/v2/order: says only that the order was taken (status `0`, nothing executed), as the documented answer does;
 * what became of it is for the order query to tell.
 */
export const newOrder: EndpointHandler = call => {
  const { exchange, parameters } = call
  const { instrument } = exchange.marketOf(parameters.text('symbol'))
  const order = exchange.place(userOf(call), readSpotOrder(parameters, instrument))
  return {
    ...orderIdentity(order),
    orderIdString: order.id.toString(),
    symbolName: instrument.symbol,
    transactTime: order.time.toString(),
    price: orderPrice(order),
    origQty: orderedVolume(order),
    executedQty: '0',
    status: '0',
    type: order.type,
    side: wireSide(order),
  }
}

/** POST /sapi/v2/order/test: every check of New Order, and no order. */
export const testOrder: EndpointHandler = call => {
  const { exchange, parameters } = call
  const { instrument } = exchange.marketOf(parameters.text('symbol'))
  exchange.check(userOf(call), readSpotOrder(parameters, instrument))
  return {}
}

/** GET /sapi/v2/order */
export const queryOrder: EndpointHandler = call => {
  const order = findOrder(call)
  return { ...orderEntry(order), transactTime: order.time.toString() }
}

/** POST /sapi/v2/cancel */
export const cancelOrder: EndpointHandler = call => {
  const order = findOrder(call)
  if (!isOpen(order)) throw new ApiError('ORDER_NOT_SUPPORT_CANCELLATION')
  call.exchange.cancel(order)
  return { ...orderIdentity(order), orderId: order.id.toString(), status: order.status }
}

/** GET /sapi/v2/openOrders, newest first; without a symbol those of all. */
export const openOrders: EndpointHandler = call => {
  const { exchange, parameters } = call
  const symbol = parameters.text('symbol')
  const instrument = symbol === undefined ? undefined : exchange.marketOf(symbol).instrument
  return userOf(call)
    .history.openOrders.filter(order => instrument === undefined || order.instrument === instrument)
    .slice(0, parameters.limit(100, 1000))
    .map(listedOrder)
}

/** GET /sapi/v2/myTrades, newest first; with `fromId` the first `limit` trades from that id on. */
export const myTrades: EndpointHandler = call => {
  const { exchange, parameters } = call
  const { instrument } = exchange.marketOf(parameters.text('symbol'))
  const limit = parameters.limit(100, 1000)
  const fromId = parameters.integer('fromId')
  const all = userOf(call)
    .history.trades()
    .filter(({ order }) => order.instrument === instrument)
  const chosen =
    fromId === undefined
      ? all.take(limit).toArray()
      : all
          .filter(({ execution }) => execution.id >= fromId)
          .toArray()
          .slice(-limit)
  return chosen.map(tradeEntry)
}

/** By `orderId`, else the latest with the client order id; throws `ApiError`. */
function findOrder(call: EndpointCall): SpotOrder {
  const { exchange, parameters } = call
  const { instrument } = exchange.marketOf(parameters.text('symbol'))
  const { history } = userOf(call)
  const clientOrderId = parameters.text('newClientOrderId')
  const id = clientOrderId === undefined ? parameters.required('orderId') : parameters.text('orderId')
  const order = id === undefined ? history.byClientId(clientOrderId ?? '') : history.byId(orderIdOf(id))
  if (order === undefined || order.instrument !== instrument) throw new ApiError('NO_SUCH_ORDER')
  return order
}

function orderIdOf(text: string): bigint {
  if (!/^\d{1,30}$/.test(text)) throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', 'orderId')
  return BigInt(text)
}

/** `"0"` stands for no client order id. */
function orderIdentity(order: SpotOrder) {
  return { symbol: upperSymbol(order), orderId: order.id, clientOrderId: order.clientOrderId ?? '0' }
}

function orderEntry(order: SpotOrder) {
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

function listedOrder(order: SpotOrder): JsonValue {
  return { ...orderEntry(order), time: order.time.toString(), stopPrice: 0, isWorking: isOpen(order) }
}

function wireSide({ side }: SpotOrder): string {
  return side === 'buy' ? 'BUY' : 'SELL'
}

function orderPrice({ instrument, price }: SpotOrder): string {
  return price === undefined ? '0' : priceText(instrument, price)
}

/** Quote for a market buy, base otherwise. */
function orderedVolume({ instrument, size }: SpotOrder): string {
  return size.unit === 'quote' ? amountToText(size.amount) : quantityText(instrument, size.quantity)
}

/** Cut at 18 decimals. */
function averagePrice({ instrument, executedQuantity, executedNotional }: SpotOrder): string {
  return executedQuantity === 0
    ? '0'
    : amountToText(divide(executedNotional, baseAmount(instrument, executedQuantity)))
}

function tradeEntry({ execution, order, liquidity, fee, feeAsset }: OwnTrade): JsonValue {
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
    bidUserId: bid.account.uid,
    askUserId: ask.account.uid,
    isSelf: bid.account === ask.account,
  }
}
