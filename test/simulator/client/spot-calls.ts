import type { ExchangeCalls } from '../../../src/exchange/exchange-client.ts'
import { START } from '../exchange-caller.ts'
import { NOW } from './client-world.ts'
import type { TypedCall } from './typed-call.ts'

const symbol = 'BTC/USDT'
const bid = { symbol, type: 'limit', side: 'buy', quantity: '1', price: '90' } as const
const [FIRST, SECOND] = ['1900000000000000001', '1900000000000000002']

/** Sells 1 BTC to the bids, at 99.99. */
const sell = ({ spot }: ExchangeCalls) =>
  spot.placeOrder({ symbol, type: 'market', side: 'sell', quantity: '1' })
const rest = ({ spot }: ExchangeCalls) => spot.placeOrder({ ...bid, clientOrderId: 'mine' })

const openBid = {
  ...{ orderId: FIRST, clientOrderId: 'mine', symbol, side: 'buy', type: 'limit', status: 'new' },
  ...{ price: '90', ordered: { quantity: '1' }, executedQuantity: '0', time: NOW },
}
const WIRE_BID = `"orderId":${FIRST},"clientOrderId":"mine","symbol":"BTCUSDT","price":"90","origQty":"1","executedQty":"0","avgPrice":"0","type":"LIMIT","side":"BUY","status":"NEW"`
const LISTED_BID = `[{${WIRE_BID},"orderIdString":"${FIRST}","time":"${NOW}","stopPrice":0,"isWorking":true}]`

const ownSale = {
  ...{ id: '100001', orderId: FIRST, symbol, side: 'sell', liquidity: 'taker', price: '99.99' },
  // The taker's 0.1% of what the sale brings.
  ...{ quantity: '1', fee: '0.09999', feeAsset: 'USDT', isSelfTrade: false, time: NOW },
}
const wireSale = (name: string) =>
  `[{"symbol":"${name}","id":100001,"bidId":1800000000000001024,"askId":${FIRST},"price":"99.99000000","qty":"1.00000000","time":${NOW},"isBuyer":false,"isMaker":false,"feeCoin":"USDT","fee":"0.09999","bidUserId":1,"askUserId":10001,"isSelf":false}]`

const ticker = {
  ...{ symbol, open: '100', high: '100', low: '100', last: '100', volume: '4', quoteVolume: '400' },
  ...{ change: '0', bid: '99.99', ask: '100.01', time: START },
}
const WIRE_TICKER = `{"high":"100","vol":"4","low":"100","open":"100","last":"100","rose":"0","time":${START},"symbol":"btcusdt","amount":"400","askPrice":"100.01","askVolume":"19.998","bidPrice":"99.99","bidVolume":"20.002"}`

/** Spot (interface sections 4.1 and 4.2). */
export const SPOT_CALLS: readonly TypedCall[] = [
  { name: 'spot.ping', call: ({ spot }) => spot.ping(), becomes: undefined, answers: ['{}'] },
  {
    name: 'spot.time',
    call: ({ spot }) => spot.time(),
    becomes: NOW,
    answers: [`{"timezone":"GMT+08:00","serverTime":${NOW}}`],
  },
  {
    name: 'spot.symbols',
    call: ({ spot }) => spot.symbols(),
    becomes: [
      {
        ...{ symbol, base: 'BTC', quote: 'USDT', pricePrecision: 2, quantityPrecision: 5 },
        ...{ minPrice: '0.01', minQuantity: '0.00001', minNotional: '10' },
        ...{ makerFeeRate: '0.001', takerFeeRate: '0.001' },
      },
    ],
    answers: [
      '{"symbols":[{"quantityPrecision":5,"symbol":"btcusdt","pricePrecision":2,"baseAsset":"BTC","quoteAsset":"USDT","limitAmountMin":"10","limitPriceMin":"0.01","limitVolumeMin":"0.00001","feeRateMaker":"0.001","feeRateTaker":"0.001"}]}',
    ],
  },
  {
    name: 'spot.depth',
    call: ({ spot }) => spot.depth({ symbol, limit: 1 }),
    // 2000 USDT at 99.99 and at 100.01, in whole steps.
    becomes: {
      bids: [{ price: '99.99', quantity: '20.002' }],
      asks: [{ price: '100.01', quantity: '19.998' }],
      time: NOW,
    },
    answers: [`{"bids":[["99.99","20.00200"]],"asks":[["100.01","19.99800"]],"time":${NOW}}`],
  },
  {
    name: 'spot.ticker',
    call: ({ spot }) => spot.ticker({ symbol }),
    becomes: ticker,
    answers: [WIRE_TICKER],
  },
  {
    name: 'spot.tickers',
    call: ({ spot }) => spot.tickers(),
    becomes: [ticker],
    answers: [
      `[${WIRE_TICKER}]`,
      '{"symbols":[{"symbol":"btcusdt","baseAsset":"BTC","quoteAsset":"USDT","pricePrecision":2,"quantityPrecision":5}]}',
    ],
  },
  {
    name: 'spot.trades',
    call: ({ spot }) => spot.trades({ symbol, limit: 2 }),
    becomes: [
      { id: '3', symbol, price: '100', quantity: '1', time: START + 30_000 },
      { id: '4', symbol, price: '100', quantity: '1', time: START + 45_000 },
    ],
    answers: [
      `{"list":[{"price":"100","qty":"1.0","time":${START + 45_000},"side":"BUY","id":4,"symbol":"BTC/USDT"},{"price":"100","qty":"1.0","time":${START + 30_000},"side":"SELL","id":3,"symbol":"BTC/USDT"}]}`,
    ],
  },
  {
    name: 'spot.klines',
    call: ({ spot }) => spot.klines({ symbol, interval: '1h', limit: 1 }),
    becomes: [{ openTime: START, open: 100, high: 100, low: 100, close: 100, volume: 4 }],
    answers: [`[{"high":"100","vol":"4","low":"100","idx":${START / 1000},"close":"100","open":"100"}]`],
  },
  {
    name: 'spot.placeOrder',
    call: rest,
    becomes: {
      ...{ orderId: FIRST, clientOrderId: 'mine', symbol, status: 'new', executedQuantity: '0' },
      ...{ price: '90', orderedVolume: '1', time: NOW },
    },
    answers: [
      `{"symbol":"BTCUSDT","orderId":${FIRST},"orderIdString":"${FIRST}","clientOrderId":"mine","transactTime":"${NOW}","price":"90","origQty":"1","executedQty":"0","status":"0","type":"LIMIT","side":"BUY"}`,
    ],
  },
  {
    name: 'spot.testOrder',
    call: ({ spot }) => spot.testOrder(bid),
    becomes: undefined,
    answers: ['{}'],
  },
  {
    name: 'spot.placeOrders',
    call: ({ spot }) =>
      spot.placeOrders({
        symbol,
        orders: [
          { type: 'limit', side: 'buy', quantity: '1', price: '90' },
          { type: 'market', side: 'sell', quantity: '1' },
        ],
      }),
    becomes: [FIRST, SECOND],
    answers: [`{"idsString":["${FIRST}","${SECOND}"],"ids":[${FIRST},${SECOND}]}`],
  },
  {
    name: 'spot.order',
    before: rest,
    call: ({ spot }) => spot.order({ symbol, clientOrderId: 'mine' }),
    becomes: openBid,
    answers: [`{${WIRE_BID},"transactTime":"${NOW}"}`],
  },
  {
    name: 'spot.order',
    before: sell,
    call: ({ spot }) => spot.order({ symbol, orderId: FIRST }),
    becomes: {
      ...{ orderId: FIRST, side: 'sell', type: 'market', status: 'filled' },
      ...{ executedQuantity: '1', averagePrice: '99.99', ordered: { quantity: '1' } },
    },
    answers: [
      `{"orderId":"${FIRST}","clientOrderId":"0","symbol":"BTCUSDT","price":"0","origQty":"1","executedQty":"1","avgPrice":"99.99","status":"FILLED","type":"MARKET","side":"SELL","transactTime":"${NOW}"}`,
    ],
  },
  {
    name: 'spot.cancelOrder',
    before: rest,
    call: ({ spot }) => spot.cancelOrder({ symbol, orderId: FIRST }),
    becomes: { orderId: FIRST, symbol, status: 'canceled' },
    answers: [`{"symbol":"BTCUSDT","clientOrderId":"mine","orderId":"${FIRST}","status":"CANCELED"}`],
  },
  {
    name: 'spot.cancelOrders',
    before: rest,
    call: ({ spot }) => spot.cancelOrders({ symbol, orderIds: [FIRST, '17'] }),
    becomes: { canceled: [FIRST], failed: ['17'] },
    answers: [`{"success":[${FIRST}],"failed":[17]}`],
  },
  {
    name: 'spot.openOrders',
    before: rest,
    call: ({ spot }) => spot.openOrders({ symbol }),
    becomes: [{ ...openBid, isWorking: true }],
    answers: [LISTED_BID],
  },
  {
    name: 'spot.historyOrders',
    before: rest,
    call: ({ spot }) => spot.historyOrders({ symbol, limit: 100 }),
    becomes: [openBid],
    answers: [LISTED_BID],
  },
  {
    name: 'spot.myTrades',
    before: sell,
    call: ({ spot }) => spot.myTrades({ symbol }),
    becomes: [ownSale],
    answers: [wireSale('BTCUSDT')],
  },
  {
    name: 'spot.historyTrades',
    before: sell,
    call: ({ spot }) => spot.historyTrades({ symbol, startTime: NOW, endTime: NOW }),
    becomes: [ownSale],
    answers: [wireSale('BTC/USDT')],
  },
]
