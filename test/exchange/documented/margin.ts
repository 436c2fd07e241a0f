import type { DocumentedCalls } from './documented-call.ts'

/** Margin orders and own trades (interface section 4.4). */
export const MARGIN: DocumentedCalls = {
  margin_order_post: [
    {
      endpoint: 'marginNewOrder',
      call: ({ margin }) =>
        margin.placeOrder({
          symbol: 'LXT/USDT',
          type: 'limit',
          side: 'sell',
          quantity: '110',
          price: '0.005452',
          clientOrderId: '157371322565051',
        }),
      becomes: {
        orderId: '494736827050147840',
        clientOrderId: '157371322565051',
        symbol: 'LXT/USDT',
        status: 'new',
        executedQuantity: '0',
        price: '0.005452',
        orderedVolume: '110',
        time: 1_573_713_225_668,
      },
    },
  ],
  margin_order_get: [
    {
      endpoint: 'marginOrder',
      call: ({ margin }) => margin.order({ symbol: 'BHT/USDT', orderId: '499890200602846976' }),
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
  margin_cancel: [
    {
      endpoint: 'marginCancel',
      call: ({ margin }) => margin.cancelOrder({ symbol: 'BHT/USDT', orderId: '499890200602846976' }),
      becomes: { orderId: '499890200602846976', symbol: 'BHT/USDT', status: 'canceled' },
    },
  ],
  margin_openOrders: [
    {
      endpoint: 'marginOpenOrders',
      call: ({ margin }) => margin.openOrders({ symbol: 'BHT/USDT' }),
      becomes: [
        {
          orderId: '499902955766523648',
          symbol: 'BHT/USDT',
          side: 'buy',
          type: 'limit',
          status: 'new',
          price: '0.01',
          ordered: { quantity: '50' },
          executedQuantity: '0',
          time: 1_574_329_076_202,
        },
      ],
    },
  ],
  margin_myTrades: [
    {
      endpoint: 'marginMyTrades',
      call: ({ margin }) => margin.myTrades({ symbol: 'ETH/BTC' }),
      becomes: [
        {
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
          time: 1_499_865_549_590,
        },
      ],
    },
  ],
}
