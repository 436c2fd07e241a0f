import { type InvalidCall, untyped } from './invalid-call.ts'

const symbol = 'BTC/USDT'
const limit = { symbol, type: 'limit', side: 'buy', quantity: '1', price: '1' } as const

/** Rules of interface section 4.4. */
export const MARGIN: readonly InvalidCall[] = [
  [
    'a margin order of a type that is not offered',
    ({ margin }) => margin.placeOrder(untyped({ ...limit, type: 'postOnly' })),
    'type',
    'must be one of LIMIT, MARKET',
    '4.4',
  ],
  [
    'a margin order at no price',
    ({ margin }) => margin.placeOrder(untyped({ ...limit, price: undefined })),
    'price',
    'is required for an order of type LIMIT',
    '4.4',
  ],
  [
    'a margin query without any id',
    ({ margin }) => margin.order(untyped({ symbol })),
    'orderId',
    'is required unless a client order id is given',
    '4.4',
  ],
  [
    '1001 margin trades',
    ({ margin }) => margin.myTrades({ symbol, limit: 1001 }),
    'limit',
    'must be a whole number from 1 to 1000',
    '4.4',
  ],
]
