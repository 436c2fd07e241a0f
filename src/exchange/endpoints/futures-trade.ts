import { z } from 'zod'
import { conditionOrderResponse } from '../futures/condition-order.ts'
import { futuresHistoryOrdersResponse } from '../futures/futures-history-order.ts'
import { futuresOrdersResponse } from '../futures/futures-order.ts'
import { conditionOrderRequest, futuresOrderRequest } from '../futures/futures-placement.ts'
import { futuresProfitsResponse } from '../futures/futures-profit.ts'
import { futuresTradesResponse } from '../futures/futures-trade.ts'
import { acknowledgement } from '../wire/acknowledgement.ts'
import { checkBothOrNone, checkWindow } from '../wire/time-window.ts'
import {
  contractNameParameter,
  idField,
  idNumberParameter,
  integerField,
  optionalIdField,
  orderIdParameter,
  textParameter,
  timeField,
  withOrderId,
} from '../wire/wire-field.ts'
import { defineEndpoint } from './endpoint.ts'

/** The document gives no futures endpoint a weight; 1 is the least any endpoint has. */
const trade = { host: 'futures', security: 'TRADE', weight: 1, section: '4.6' } as const
const write = { ...trade, method: 'POST', effect: 'write' } as const

/** Header that both order endpoints require (interface section 5.7). */
const VERSION = { 'futures-version': '101' } as const

const placedResponse = z.preprocess(withOrderId, z.object({ orderId: idField }))

/** Answer of a cancel; some hosts answer a success without content. */
const canceledResponse = z.object({ orderId: optionalIdField }).nullable()

/** The lists take their limit as text in the body of a POST. */
const limitText = integerField(1, 500).transform(String)

/** Interface section 4.6, orders: futures orders and own trades, signed. */
export const FUTURES_TRADE = {
  futuresNewOrder: defineEndpoint({
    ...write,
    key: 'futuresNewOrder',
    path: '/fapi/v1/order',
    headers: VERSION,
    request: futuresOrderRequest,
    response: placedResponse,
    doc: 'Places an order.',
  }),
  futuresConditionOrder: defineEndpoint({
    ...write,
    key: 'futuresConditionOrder',
    path: '/fapi/v1/conditionOrder',
    headers: VERSION,
    request: conditionOrderRequest,
    response: conditionOrderResponse,
    doc: 'Places an order that waits for a trigger price.',
  }),
  futuresCancel: defineEndpoint({
    ...write,
    key: 'futuresCancel',
    path: '/fapi/v1/cancel',
    rateLimit: { calls: 20, perMs: 2000 },
    request: z.object({ contractName: contractNameParameter, orderId: orderIdParameter }),
    response: canceledResponse,
    doc: 'Cancels an open order.',
  }),
  futuresCancelAll: defineEndpoint({
    ...write,
    key: 'futuresCancelAll',
    path: '/fapi/v1/cancel_all',
    request: z.object({}),
    keepsEnvelope: true,
    response: acknowledgement,
    doc: 'Cancels every open order.',
  }),
  futuresOrder: defineEndpoint({
    ...trade,
    key: 'futuresOrder',
    method: 'GET',
    path: '/fapi/v1/order',
    effect: 'read',
    request: z.object({
      contractName: contractNameParameter,
      // The interface document lacks these ids, but sibling hosts accept them.
      orderId: orderIdParameter.optional(),
      clientOrderId: textParameter.optional(),
    }),
    response: futuresOrdersResponse,
    doc: 'Details of the orders of a contract.',
  }),
  futuresOpenOrders: defineEndpoint({
    ...trade,
    key: 'futuresOpenOrders',
    method: 'GET',
    path: '/fapi/v1/openOrders',
    effect: 'read',
    request: z.object({ contractName: contractNameParameter.optional() }),
    response: futuresOrdersResponse,
    doc: 'Open orders of one contract or of all, newest first.',
  }),
  futuresOrderHistorical: defineEndpoint({
    ...trade,
    key: 'futuresOrderHistorical',
    method: 'POST',
    path: '/fapi/v1/orderHistorical',
    effect: 'read',
    request: z.object({
      contractName: contractNameParameter,
      limit: limitText.optional(),
      fromId: idNumberParameter.optional(),
    }),
    response: futuresHistoryOrdersResponse,
    doc: 'Orders of a contract in any state, newest first.',
  }),
  futuresProfitHistorical: defineEndpoint({
    ...trade,
    key: 'futuresProfitHistorical',
    method: 'POST',
    path: '/fapi/v1/profitHistorical',
    effect: 'read',
    request: z
      .object({
        contractName: contractNameParameter.optional(),
        limit: limitText.optional(),
        fromId: idNumberParameter.optional(),
        startTime: timeField.optional(),
        endTime: timeField.optional(),
      })
      .check(({ value, issues }) => {
        checkBothOrNone(value, issues)
        checkWindow(value, issues)
      }),
    response: futuresProfitsResponse,
    doc: 'What positions brought in, newest first.',
  }),
  futuresMyTrades: defineEndpoint({
    ...trade,
    key: 'futuresMyTrades',
    method: 'GET',
    path: '/fapi/v1/myTrades',
    effect: 'read',
    request: z.object({
      contractName: contractNameParameter,
      limit: integerField(1, 500).optional(),
      fromId: orderIdParameter.optional(),
    }),
    response: futuresTradesResponse,
    doc: "The account's own futures trades, newest first.",
  }),
} as const
