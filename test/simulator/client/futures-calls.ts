import type { ExchangeCalls } from '../../../src/exchange/exchange-client.ts'
import { START } from '../exchange-caller.ts'
import { NOW } from './client-world.ts'
import type { TypedCall } from './typed-call.ts'

const contractName = 'E-BTC-USDT'
const ORDER = '2100000000000000001'

const target = { contractName, side: 'buy', action: 'open', positionType: 'isolated' } as const
const rest = ({ futures }: ExchangeCalls) =>
  futures.placeOrder({ ...target, type: 'limit', contracts: '3', price: '96', clientOrderId: 'mine' })
/** Buys 10 contracts of 0.1 BTC at 100.01: worth 100.01, at a fee of 0.1%. */
const buy = ({ futures }: ExchangeCalls) => futures.placeOrder({ ...target, type: 'market', contracts: '10' })
/** Buys them, and sells them at 99.99. */
const buyAndSell = async (calls: ExchangeCalls) => {
  await buy(calls)
  await calls.futures.placeOrder({
    ...{ contractName, side: 'sell', action: 'close', positionType: 'isolated' },
    ...{ type: 'market', contracts: '10' },
  })
}
const condition = {
  ...target,
  type: 'limit',
  contracts: '1',
  price: '90',
  trigger: 'fall',
  triggerPrice: '95',
} as const

const ticker = { contractName, high: '100', low: '100', last: '100', volume: '40', change: '0' }
const WIRE_TICKER = `{"high":"100","vol":"40","last":"100","low":"100","rose":"0","time":${NOW}}`

const openBuy = {
  ...{ orderId: ORDER, contractName, side: 'buy', action: 'open', type: 'limit', status: 'new' },
  ...{ price: '96', orderedVolume: '3', executedVolume: '0', time: NOW },
}
const WIRE_BUY = `"side":"BUY","executedQty":0,"orderId":${ORDER},"price":96.0000000000000000,"origQty":3.0000000000000000,"avgPrice":0E-8,"transactTime":"${NOW}","action":"OPEN","contractName":"E-BTC-USDT","type":"LIMIT","status":"NEW"`
const DONE = '{"code":"0","msg":"成功","data":null}'

const MARKET_CALLS: readonly TypedCall[] = [
  { name: 'futures.ping', call: ({ futures }) => futures.ping(), becomes: undefined, answers: ['{}'] },
  {
    name: 'futures.time',
    call: ({ futures }) => futures.time(),
    becomes: NOW,
    answers: [`{"serverTime":${NOW},"timezone":"Chinese standard time"}`],
  },
  {
    name: 'futures.contracts',
    call: ({ futures }) => futures.contracts(),
    becomes: [
      {
        ...{ contractName, type: 'perpetual', isTradable: true, side: 'forward', multiplier: '0.1' },
        ...{ multiplierCoin: 'BTC', pricePrecision: 2, maxLeverage: '100', maxOpenOrders: 200 },
        ...{ openTakerFeeRate: '0.001', closeMakerFeeRate: '0.0005' },
      },
    ],
    answers: [
      '[{"symbol":"E-BTC-USDT","pricePrecision":2,"side":1,"maxMarketVolume":100000,"multiplier":0.1,"minOrderVolume":1,"maxMarketMoney":10000000,"type":"E","maxLimitVolume":1000000,"maxValidOrder":200,"multiplierCoin":"BTC","minOrderMoney":0.001,"maxLimitMoney":1000000,"status":1,"minLever":1,"maxLever":100,"openTakerFee":0.001,"openMakerFee":0.0005,"closeTakerFee":0.001,"closeMakerFee":0.0005}]',
    ],
  },
  {
    name: 'futures.depth',
    call: ({ futures }) => futures.depth({ contractName, limit: 1 }),
    // 2000 USDT at 99.99 and at 100.01, in whole contracts.
    becomes: {
      bids: [{ price: '99.99', quantity: '200' }],
      asks: [{ price: '100.01', quantity: '199' }],
    },
    answers: ['{"bids":[["99.99","200"]],"asks":[["100.01","199"]]}'],
  },
  {
    name: 'futures.ticker',
    call: ({ futures }) => futures.ticker({ contractName }),
    becomes: ticker,
    answers: [WIRE_TICKER],
  },
  {
    name: 'futures.tickers',
    call: async ({ futures }) => {
      await futures.contracts()
      return futures.tickers()
    },
    becomes: [ticker],
    answers: [
      '[{"symbol":"E-BTC-USDT","pricePrecision":2,"side":1,"maxMarketVolume":1,"multiplier":1,"minOrderVolume":1,"maxMarketMoney":1,"type":"E","maxLimitVolume":1,"maxValidOrder":1,"multiplierCoin":"BTC","minOrderMoney":1,"maxLimitMoney":1,"status":1,"minLever":1,"maxLever":1,"openTakerFee":0,"openMakerFee":0,"closeTakerFee":0,"closeMakerFee":0}]',
      `{"e_btcusdt":${WIRE_TICKER}}`,
    ],
  },
  {
    name: 'futures.indexPrice',
    call: ({ futures }) => futures.indexPrice({ contractName }),
    becomes: { contractName, indexPrice: '100', markPrice: '100', lastFundingRate: '0.0001', time: NOW },
    answers: [
      `{"markPrice":100,"indexPrice":100.0000,"lastFundingRate":0.0001,"contractName":"E-BTC-USDT","time":${NOW}}`,
    ],
  },
  {
    name: 'futures.klines',
    call: ({ futures }) => futures.klines({ contractName, interval: '1h', limit: 1 }),
    becomes: [{ openTime: START, open: 100, high: 100, low: 100, close: 100, volume: 40 }],
    answers: [`[{"high":"100","vol":"40","low":"100","idx":${START},"close":"100","open":"100"}]`],
  },
]

const ORDER_CALLS: readonly TypedCall[] = [
  {
    name: 'futures.placeOrder',
    call: rest,
    becomes: { orderId: ORDER },
    answers: [`{"orderId":${ORDER}}`],
  },
  {
    name: 'futures.placeConditionOrder',
    call: ({ futures }) => futures.placeConditionOrder(condition),
    becomes: { type: 'order', orderId: ORDER },
    answers: [`{"orderId":"${ORDER}"}`],
  },
  {
    name: 'futures.cancelOrder',
    before: rest,
    call: ({ futures }) => futures.cancelOrder({ contractName, orderId: ORDER }),
    becomes: { orderId: ORDER },
    answers: [`{"orderId":${ORDER}}`],
  },
  {
    name: 'futures.cancelAllOrders',
    before: rest,
    call: ({ futures }) => futures.cancelAllOrders(),
    becomes: undefined,
    answers: [DONE],
  },
  {
    name: 'futures.orders',
    before: rest,
    call: ({ futures }) => futures.orders({ contractName, orderId: ORDER }),
    becomes: [{ ...openBuy, fee: '0', realizedPnl: '0' }],
    answers: [`[{${WIRE_BUY},"tradeFee":0,"realizedAmount":0}]`],
  },
  {
    name: 'futures.openOrders',
    before: rest,
    call: ({ futures }) => futures.openOrders(),
    becomes: [openBuy],
    answers: [`[{${WIRE_BUY}}]`],
  },
  {
    name: 'futures.historyOrders',
    before: buy,
    call: ({ futures }) => futures.historyOrders({ contractName }),
    becomes: [
      {
        ...{ orderId: ORDER, contractName, side: 'buy', action: 'open', type: 'market', status: 'filled' },
        ...{ positionType: 'isolated', leverage: '10', orderedVolume: '10', executedVolume: '10' },
        ...{ averagePrice: '100.01', executedValue: '100.01', openTakerFeeRate: '0.001', time: NOW },
      },
    ],
    answers: [
      `[{"side":"BUY","clientId":"0","ctimeMs":${NOW},"positionType":2,"orderId":${ORDER},"avgPrice":100.01,"openOrClose":"OPEN","leverageLevel":10,"type":2,"closeTakerFeeRate":0.001,"volume":10,"openMakerFeeRate":0.0005,"dealVolume":10,"price":0,"closeMakerFeeRate":0.0005,"contractId":1,"ctime":"2024-01-01T08:00:50","contractName":"E-BTC-USDT","openTakerFeeRate":0.001,"dealMoney":100.01,"status":2}]`,
    ],
  },
  {
    name: 'futures.historyProfits',
    before: buyAndSell,
    call: ({ futures }) => futures.historyProfits({ contractName }),
    // 1 BTC bought at 100.01 and sold at 99.99; fees of 0.10001 and 0.09999.
    becomes: [
      {
        ...{ direction: 'long', positionType: 'isolated', leverage: '10', volume: '10' },
        ...{ openPrice: '100.01', fee: '-0.2', fundingFee: '0', closePnl: '-0.02', totalPnl: '-0.22' },
      },
    ],
    answers: [
      `[{"side":"BUY","positionType":2,"tradeFee":-0.2,"realizedAmount":0,"leverageLevel":10,"openPrice":100.01,"settleProfit":0,"mtime":${NOW},"shareAmount":0,"openEndPrice":100.01,"closeProfit":-0.02,"volume":10,"contractId":1,"historyRealizedAmount":-0.22,"ctime":${NOW},"id":1,"capitalFee":0}]`,
    ],
  },
  {
    name: 'futures.myTrades',
    before: buy,
    call: ({ futures }) => futures.myTrades({ contractName }),
    becomes: [
      {
        ...{ id: '500001', orderId: ORDER, contractName, side: 'buy', liquidity: 'taker' },
        ...{ price: '100.01', volume: '10', value: '100.01', fee: '0.10001', time: NOW },
      },
    ],
    answers: [
      `[{"amount":100.01,"side":"BUY","fee":0.10001,"isMaker":false,"isBuyer":true,"bidId":${ORDER},"bidUserId":10001,"price":100.0100000000000000,"qty":10,"askId":2000000000000000001,"contractName":"E-BTC-USDT","time":${NOW},"tradeId":500001,"askUserId":1}]`,
    ],
  },
]

const ACCOUNT_CALLS: readonly TypedCall[] = [
  {
    name: 'futures.account',
    before: buy,
    call: ({ futures }) => futures.account(),
    // A tenth of 100.01 is margin, and 0.10001 was the fee.
    becomes: [
      {
        ...{ marginCoin: 'USDT', orderMargin: '0', isolatedMargin: '10.001', crossMargin: '0' },
        contracts: [
          {
            contractName,
            positions: [
              {
                ...{ direction: 'long', positionType: 'isolated', leverage: '10', volume: '10' },
                ...{ openPrice: '100.01', averagePrice: '100.01', markPrice: '100', value: '100' },
                ...{ unrealizedPnl: '-0.01', fee: '-0.10001', lock: 'none', isEffective: true },
              },
            ],
          },
        ],
      },
    ],
    answers: [
      `{"account":[{"marginCoin":"USDT","accountNormal":9989.89899,"accountLock":0,"partPositionNormal":10.001,"totalPositionNormal":0,"achievedAmount":-0.10001,"unrealizedAmount":-0.01,"totalMarginRate":0,"totalEquity":9989.89899,"partEquity":9.991,"totalCost":0,"sumMarginRate":0,"positionVos":[{"contractId":1,"contractName":"E-BTC-USDT","contractSymbol":"BTC-USDT","positions":[{"id":1,"uid":10001,"contractId":1,"positionType":2,"side":"BUY","volume":10,"openPrice":100.01,"avgPrice":100.01,"closePrice":0,"leverageLevel":10,"holdAmount":10.001,"closeVolume":0,"pendingCloseVolume":0,"realizedAmount":0,"historyRealizedAmount":-0.10001,"tradeFee":-0.10001,"capitalFee":0,"closeProfit":0,"shareAmount":0,"freezeLock":0,"status":1,"ctime":"2024-01-01T00:00:50","mtime":"2024-01-01T00:00:50","brokerId":0,"marginRate":0.09,"reducePrice":91,"returnRate":-0.001,"unRealizedAmount":-0.01,"openRealizedAmount":-0.01,"positionBalance":100,"settleProfit":0,"indexPrice":100,"keepRate":0.01,"maxFeeRate":0.001}]}]}]}`,
    ],
  },
  {
    name: 'futures.transactions',
    before: buy,
    call: ({ futures }) =>
      futures.transactions({
        ...{ marginCoin: 'USDT', startTime: START, endTime: NOW, type: 'openingFee' },
      }),
    becomes: { count: 1, transactions: [{ type: 'openingFee', amount: '-0.10001', time: NOW }] },
    answers: [
      `{"code":"0","msg":"Success","data":{"page":1,"limit":200,"count":1,"transList":[{"id":2,"contractOtherName":"BTCUSDT","ctimeMillis":${NOW},"type":"6","ctime":"2024-01-01T00:00:50","amount":-0.10001,"afterBalance":9999.89999,"scene":6}]}}`,
    ],
  },
  {
    name: 'futures.setPositionModel',
    call: ({ futures }) => futures.setPositionModel({ contractName, positionModel: 'net' }),
    becomes: undefined,
    answers: [DONE],
  },
  {
    name: 'futures.setMarginModel',
    call: ({ futures }) => futures.setMarginModel({ contractName, marginModel: 'isolated' }),
    becomes: undefined,
    answers: [DONE],
  },
  {
    name: 'futures.adjustPositionMargin',
    before: buy,
    call: ({ futures }) => futures.adjustPositionMargin({ positionId: '1', amount: '5' }),
    becomes: undefined,
    answers: [DONE],
  },
  {
    name: 'futures.setLeverage',
    call: ({ futures }) => futures.setLeverage({ contractName, leverage: 50 }),
    becomes: undefined,
    answers: [DONE],
  },
]

/** Futures (interface sections 4.5 to 4.7). */
export const FUTURES_CALLS: readonly TypedCall[] = [...MARKET_CALLS, ...ORDER_CALLS, ...ACCOUNT_CALLS]
