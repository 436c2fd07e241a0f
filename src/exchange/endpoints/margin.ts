import { z } from 'zod'
import { canceledOrderResponse } from '../spot/canceled-order.ts'
import { requireOrderReference } from '../spot/order-reference.ts'
import { ownTradesResponse } from '../spot/own-trade.ts'
import { placedOrderResponse } from '../spot/placed-order.ts'
import { spotOrderResponse, spotOrdersResponse } from '../spot/spot-order.ts'
import { marginOrderRequest } from '../spot/spot-order-request.ts'
import {
  clientOrderIdParameter,
  integerField,
  orderIdParameter,
  symbolParameter,
} from '../wire/wire-field.ts'
import { defineEndpoint } from './endpoint.ts'

const margin = { host: 'spot', security: 'TRADE', section: '4.4' } as const

const WRITE_RATE = { calls: 100, perMs: 2000 } as const
const QUERY_RATE = { calls: 20, perMs: 2000 } as const

const orderReference = z
  .object({
    symbol: symbolParameter,
    orderId: orderIdParameter.optional(),
    newClientOrderId: clientOrderIdParameter.optional(),
  })
  .check(({ value, issues }) => requireOrderReference(value.orderId, value.newClientOrderId, issues))

/** Interface section 4.4: margin orders and own trades, signed; parameters and answers as sibling hosts publish them. */
export const MARGIN = {
  marginNewOrder: defineEndpoint({
    ...margin,
    key: 'marginNewOrder',
    method: 'POST',
    path: '/sapi/v2/margin/order',
    effect: 'write',
    weight: 5,
    rateLimit: WRITE_RATE,
    request: marginOrderRequest,
    response: placedOrderResponse,
    doc: 'Places a margin order.',
  }),
  marginOrder: defineEndpoint({
    ...margin,
    key: 'marginOrder',
    method: 'GET',
    path: '/sapi/v2/margin/order',
    effect: 'read',
    weight: 5,
    rateLimit: QUERY_RATE,
    request: orderReference,
    response: spotOrderResponse,
    doc: 'One margin order by its id, or the latest with a client order id.',
  }),
  marginCancel: defineEndpoint({
    ...margin,
    key: 'marginCancel',
    method: 'POST',
    path: '/sapi/v2/margin/cancel',
    effect: 'write',
    weight: 5,
    rateLimit: WRITE_RATE,
    request: orderReference,
    response: canceledOrderResponse,
    doc: 'Cancels an open margin order.',
  }),
  marginOpenOrders: defineEndpoint({
    ...margin,
    key: 'marginOpenOrders',
    method: 'GET',
    path: '/sapi/v2/margin/openOrders',
    effect: 'read',
    weight: 1,
    rateLimit: QUERY_RATE,
    request: z.object({ symbol: symbolParameter.optional(), limit: integerField(1, 1000).optional() }),
    response: spotOrdersResponse,
    doc: 'Open margin orders of one pair or of all, newest first.',
  }),
  marginMyTrades: defineEndpoint({
    ...margin,
    key: 'marginMyTrades',
    method: 'GET',
    path: '/sapi/v2/margin/myTrades',
    effect: 'read',
    weight: 1,
    request: z.object({
      symbol: symbolParameter,
      limit: integerField(1, 1000).optional(),
      fromId: orderIdParameter.optional(),
    }),
    response: ownTradesResponse,
    doc: "The account's own margin trades of one pair, newest first.",
  }),
} as const
