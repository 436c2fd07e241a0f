import type { ExchangeCalls } from '../../../src/exchange/exchange-client.ts'
import { NOW } from './client-world.ts'
import type { TypedCall } from './typed-call.ts'

const symbol = 'BTC/USDT'
const FIRST = '1900000000000000001'

const rest = ({ margin }: ExchangeCalls) =>
  margin.placeOrder({ symbol, type: 'limit', side: 'sell', quantity: '2', price: '110' })
const reference = { symbol, orderId: FIRST }

const openAsk = {
  ...{ orderId: FIRST, symbol, side: 'sell', type: 'limit', status: 'new', price: '110' },
  ...{ ordered: { quantity: '2' }, executedQuantity: '0', time: NOW },
}
const WIRE_ASK = `"orderId":"${FIRST}","symbol":"BTCUSDT","price":"110","origQty":"2","executedQty":"0","avgPrice":"0","status":"NEW","type":"LIMIT","side":"SELL"`

/** Margin (interface section 4.4). */
export const MARGIN_CALLS: readonly TypedCall[] = [
  {
    name: 'margin.placeOrder',
    call: rest,
    becomes: {
      orderId: FIRST,
      symbol,
      status: 'new',
      executedQuantity: '0',
      price: '110',
      orderedVolume: '2',
    },
    answers: [
      `{"symbol":"BTCUSDT","orderId":"${FIRST}","clientOrderId":"0","transactTime":"${NOW}","price":"110","origQty":"2","executedQty":"0","status":"NEW","type":"LIMIT","side":"SELL"}`,
    ],
  },
  {
    name: 'margin.order',
    before: rest,
    call: ({ margin }) => margin.order(reference),
    becomes: openAsk,
    answers: [`{${WIRE_ASK},"clientOrderId":"0","transactTime":"${NOW}"}`],
  },
  {
    name: 'margin.cancelOrder',
    before: rest,
    call: ({ margin }) => margin.cancelOrder(reference),
    becomes: { orderId: FIRST, symbol, status: 'canceled' },
    answers: [`{"symbol":"BTCUSDT","clientOrderId":"0","orderId":"${FIRST}","status":"CANCELED"}`],
  },
  {
    name: 'margin.openOrders',
    before: rest,
    call: ({ margin }) => margin.openOrders({ symbol }),
    becomes: [openAsk],
    answers: [`[{${WIRE_ASK},"time":"${NOW}"}]`],
  },
  {
    name: 'margin.myTrades',
    // 200.02 USDT buy 2 BTC at 100.01; the fee is 0.1% of them.
    before: ({ margin }) => margin.placeOrder({ symbol, type: 'market', side: 'buy', quoteAmount: '200.02' }),
    call: ({ margin }) => margin.myTrades({ symbol, limit: 10 }),
    becomes: [
      {
        ...{ id: '100001', orderId: FIRST, symbol, side: 'buy', liquidity: 'taker' },
        ...{ price: '100.01', quantity: '2', fee: '0.002', feeAsset: 'BTC', time: NOW },
      },
    ],
    answers: [
      `[{"symbol":"BTCUSDT","id":100001,"bidId":${FIRST},"askId":1800000000000001025,"price":"100.01","qty":"2","time":${NOW},"isBuyer":true,"isMaker":false,"feeCoin":"BTC","fee":"0.002"}]`,
    ],
  },
]
