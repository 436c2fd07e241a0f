import { z } from 'zod'
import { canceledOrderResponse } from '../spot/canceled-order.ts'
import { requireOrderReference } from '../spot/order-reference.ts'
import { ownTradesResponse } from '../spot/own-trade.ts'
import { placedOrderResponse } from '../spot/placed-order.ts'
import {
  batchCancelRequest,
  batchOrdersRequest,
  canceledBatchResponse,
  placedBatchResponse,
} from '../spot/spot-batch.ts'
import { spotOrderResponse, spotOrdersResponse } from '../spot/spot-order.ts'
import { newOrderRequest, testOrderRequest } from '../spot/spot-order-request.ts'
import { checkWindow } from '../wire/time-window.ts'
import {
  clientOrderIdParameter,
  integerField,
  orderIdParameter,
  symbolParameter,
  timeField,
} from '../wire/wire-field.ts'
import { defineEndpoint } from './endpoint.ts'

const trade = { host: 'spot', security: 'TRADE', section: '4.2' } as const

/** Rate limit of order query and open orders, published by sibling hosts only. */
const QUERY_RATE = { calls: 20, perMs: 2000 } as const
/** Rate limit of both batch endpoints, published by sibling hosts only. */
const BATCH_RATE = { calls: 50, perMs: 2000 } as const

/** Request of the v3 lists of orders and trades: a window of at most 7 days in the last 6 months. */
const historyRequest = z
  .object({
    symbol: symbolParameter.optional(),
    limit: integerField(1, 100).optional(),
    startTime: timeField.optional(),
    endTime: timeField.optional(),
  })
  .check(({ value, issues }) => checkWindow(value, issues, 7))

/** Interface section 4.2: spot orders and own trades, signed. */
export const SPOT_TRADE = {
  spotNewOrder: defineEndpoint({
    ...trade,
    key: 'spotNewOrder',
    method: 'POST',
    path: '/sapi/v2/order',
    effect: 'write',
    weight: 5,
    rateLimit: { calls: 100, perMs: 2000 },
    request: newOrderRequest,
    response: placedOrderResponse,
    doc: 'Places an order.',
  }),
  spotTestOrder: defineEndpoint({
    ...trade,
    key: 'spotTestOrder',
    method: 'POST',
    path: '/sapi/v2/order/test',
    effect: 'read',
    weight: 1,
    request: testOrderRequest,
    response: z.object({}).nullable(),
    doc: 'Validates an order, its signature and window without placing it.',
  }),
  spotBatchOrders: defineEndpoint({
    ...trade,
    key: 'spotBatchOrders',
    method: 'POST',
    path: '/sapi/v2/batchOrders',
    effect: 'write',
    weight: 10,
    rateLimit: BATCH_RATE,
    request: batchOrdersRequest,
    response: placedBatchResponse,
    doc: 'Places up to 10 orders on one pair.',
  }),
  spotOrder: defineEndpoint({
    ...trade,
    key: 'spotOrder',
    method: 'GET',
    path: '/sapi/v2/order',
    effect: 'read',
    weight: 1,
    rateLimit: QUERY_RATE,
    request: z
      .object({
        symbol: symbolParameter,
        orderId: orderIdParameter.optional(),
        newClientorderId: clientOrderIdParameter.optional(),
      })
      .check(({ value, issues }) => requireOrderReference(value.orderId, value.newClientorderId, issues)),
    response: spotOrderResponse,
    doc: 'One order by its id, or the latest with a client order id.',
  }),
  spotCancel: defineEndpoint({
    ...trade,
    key: 'spotCancel',
    method: 'POST',
    path: '/sapi/v2/cancel',
    effect: 'write',
    weight: 5,
    request: z
      .object({
        symbol: symbolParameter,
        orderId: orderIdParameter.optional(),
        newClientOrderId: clientOrderIdParameter.optional(),
      })
      .check(({ value, issues }) => requireOrderReference(value.orderId, value.newClientOrderId, issues)),
    response: canceledOrderResponse,
    doc: 'Cancels an open order.',
  }),
  spotBatchCancel: defineEndpoint({
    ...trade,
    key: 'spotBatchCancel',
    method: 'POST',
    path: '/sapi/v2/batchCancel',
    effect: 'write',
    weight: 10,
    rateLimit: BATCH_RATE,
    request: batchCancelRequest,
    response: canceledBatchResponse,
    doc: 'Cancels up to 10 open orders of one pair.',
  }),
  spotOpenOrders: defineEndpoint({
    ...trade,
    key: 'spotOpenOrders',
    method: 'GET',
    path: '/sapi/v2/openOrders',
    effect: 'read',
    weight: ({ symbol }) => (symbol === undefined ? 80 : 1),
    rateLimit: QUERY_RATE,
    request: z.object({ symbol: symbolParameter.optional(), limit: integerField(1, 1000).optional() }),
    response: spotOrdersResponse,
    doc: 'Open orders of one pair or of all, newest first.',
  }),
  spotHistoryOrders: defineEndpoint({
    ...trade,
    key: 'spotHistoryOrders',
    method: 'GET',
    path: '/sapi/v3/historyOrders',
    effect: 'read',
    weight: ({ symbol }) => (symbol === undefined ? 80 : 20),
    historyMonths: 6,
    request: historyRequest,
    response: spotOrdersResponse,
    doc: 'Orders of one pair or of all in a window of at most 7 days, newest first.',
  }),
  spotMyTradesV2: defineEndpoint({
    ...trade,
    key: 'spotMyTradesV2',
    method: 'GET',
    path: '/sapi/v2/myTrades',
    effect: 'read',
    weight: 1,
    request: z.object({
      symbol: symbolParameter,
      limit: integerField(1, 1000).optional(),
      fromId: orderIdParameter.optional(),
    }),
    response: ownTradesResponse,
    doc: "The account's own trades of one pair, newest first.",
  }),
  spotMyTradesV3: defineEndpoint({
    ...trade,
    key: 'spotMyTradesV3',
    method: 'GET',
    path: '/sapi/v3/myTrades',
    effect: 'read',
    weight: ({ symbol }) => (symbol === undefined ? 80 : 20),
    historyMonths: 6,
    request: historyRequest,
    response: ownTradesResponse,
    doc: "The account's own trades of one pair or of all in a window of at most 7 days, newest first.",
  }),
} as const
