import type { DocumentedCalls } from './documented-call.ts'

const sale = { symbol: 'LXT/USDT', type: 'limit', side: 'sell', quantity: '110', price: '0.005452' } as const

const placed = {
  clientOrderId: '157371322565051',
  symbol: 'LXT/USDT',
  status: 'new',
  executedQuantity: '0',
  price: '0.005452',
  orderedVolume: '110',
  time: 1_573_713_225_668,
}

const listedOrder = {
  orderId: '499902955766523648',
  symbol: 'BHT/USDT',
  side: 'buy',
  type: 'limit',
  status: 'new',
  price: '0.01',
  triggerPrice: '123321',
  ordered: { quantity: '50' },
  executedQuantity: '0',
  isWorking: true,
  time: 1_574_329_076_202,
}

const trade = {
  id: '100211',
  orderId: '150695552109032492',
  bidId: '150695552109032492',
  askId: '150695552109032493',
  symbol: 'ETH/BTC',
  side: 'buy',
  liquidity: 'taker',
  price: '4.000001',
  quantity: '12',
  fee: '0.001',
  feeAsset: 'ETH',
  isSelfTrade: false,
  bidUserId: '23334',
  askUserId: '44112',
  time: 1_499_865_549_590,
}

/** Spot orders and own trades (interface section 4.2). */
export const SPOT_ORDERS: DocumentedCalls = {
  spot_order_post: [
    {
      endpoint: 'spotNewOrder',
      call: ({ spot }) => spot.placeOrder(sale),
      becomes: { orderId: '150695552109032492', ...placed },
    },
    {
      endpoint: 'spotNewOrder',
      call: ({ spot }) => spot.placeOrder(sale),
      becomes: { orderId: '1642655717519015937', ...placed },
    },
  ],
  spot_order_test: [
    { endpoint: 'spotTestOrder', call: ({ spot }) => spot.testOrder(sale), becomes: undefined },
  ],
  spot_batchOrders: [
    {
      endpoint: 'spotBatchOrders',
      call: ({ spot }) =>
        spot.placeOrders({
          symbol: 'BTC/USDT',
          orders: [{ type: 'limit', side: 'buy', quantity: '20.1', price: '1000' }],
        }),
      becomes: ['165964665990709251', '165964665990709252', '165964665990709253'],
    },
  ],
  spot_order_get: [
    {
      endpoint: 'spotOrder',
      call: ({ spot }) => spot.order({ symbol: 'BHT/USDT', orderId: '499890200602846976' }),
      becomes: {
        orderId: '499890200602846976',
        clientOrderId: '157432755564968',
        symbol: 'BHT/USDT',
        side: 'buy',
        type: 'limit',
        status: 'new',
        price: '0.01',
        ordered: { quantity: '50' },
        executedQuantity: '0',
        time: 1_574_327_555_669,
      },
    },
  ],
  spot_cancel: [
    {
      endpoint: 'spotCancel',
      call: ({ spot }) => spot.cancelOrder({ symbol: 'BHT/USDT', orderId: '499890200602846976' }),
      becomes: { orderId: '499890200602846976', symbol: 'BHT/USDT', status: 'canceled' },
    },
    {
      endpoint: 'spotCancel',
      call: ({ spot }) => spot.cancelOrder({ symbol: 'ETH/USDT', orderId: '1938321163093079425' }),
      becomes: { orderId: '1938321163093079425', symbol: 'ETH/USDT', status: 'pendingCancel' },
    },
  ],
  spot_batchCancel: [
    {
      endpoint: 'spotBatchCancel',
      call: ({ spot }) => spot.cancelOrders({ symbol: 'BTC/USDT', orderIds: ['123', '456'] }),
      becomes: {
        canceled: ['165964665990709251', '165964665990709252', '165964665990709253'],
        failed: ['165964665990709250'],
      },
    },
  ],
  spot_openOrders: [
    {
      endpoint: 'spotOpenOrders',
      call: ({ spot }) => spot.openOrders({ symbol: 'BHT/USDT' }),
      becomes: [listedOrder],
    },
  ],
  spot_historyOrders: [
    {
      endpoint: 'spotHistoryOrders',
      call: ({ spot }) => spot.historyOrders({ symbol: 'BHT/USDT' }),
      becomes: [listedOrder],
    },
  ],
  spot_myTrades_v2: [
    {
      endpoint: 'spotMyTradesV2',
      call: ({ spot }) => spot.myTrades({ symbol: 'ETH/BTC' }),
      becomes: [trade],
    },
  ],
  spot_myTrades_v3: [
    {
      endpoint: 'spotMyTradesV3',
      call: ({ spot }) =>
        spot.historyTrades({
          symbol: 'ETH/BTC',
          limit: 50,
          startTime: 1_499_860_000_000,
          endTime: 1_499_870_000_000,
        }),
      becomes: [trade],
    },
  ],
}
