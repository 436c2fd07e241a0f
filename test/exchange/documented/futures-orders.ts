import type { DocumentedCalls } from './documented-call.ts'

const contractName = 'E-BTC-USDT'

const order = {
  orderId: '259396989397942275',
  contractName,
  side: 'buy',
  action: 'open',
  type: 'limit',
  status: 'new',
  price: '10000',
  orderedVolume: '1',
  executedVolume: '0',
  fills: [],
  time: 1_607_702_400_000,
}

/** Futures orders and own trades (interface section 4.6). */
export const FUTURES_ORDERS: DocumentedCalls = {
  fapi_order_post: [
    {
      endpoint: 'futuresNewOrder',
      call: ({ futures }) =>
        futures.placeOrder({
          contractName,
          type: 'ioc',
          side: 'buy',
          action: 'open',
          positionType: 'cross',
          contracts: '1',
          price: '65000',
          clientOrderId: '111000111',
        }),
      becomes: { orderId: '256609229205684228' },
    },
  ],
  fapi_conditionOrder: [
    {
      endpoint: 'futuresConditionOrder',
      call: ({ futures }) =>
        futures.placeConditionOrder({
          contractName,
          type: 'market',
          side: 'sell',
          action: 'close',
          positionType: 'isolated',
          contracts: '3',
          trigger: 'fall',
          triggerPrice: '60000.5',
        }),
      becomes: { type: 'order', orderId: '256609229205684228' },
    },
  ],
  fapi_cancel: [
    {
      endpoint: 'futuresCancel',
      call: ({ futures }) => futures.cancelOrder({ contractName, orderId: '256609229205684228' }),
      becomes: { orderId: '256609229205684228' },
    },
  ],
  fapi_cancel_all: [
    {
      endpoint: 'futuresCancelAll',
      call: ({ futures }) => futures.cancelAllOrders(),
      becomes: undefined,
    },
  ],
  fapi_order_get: [
    {
      endpoint: 'futuresOrder',
      call: ({ futures }) => futures.orders({ contractName }),
      becomes: [{ ...order, fee: '2.7', realizedPnl: '10.8' }],
    },
    {
      endpoint: 'futuresOrder',
      call: ({ futures }) => futures.orders({ contractName, orderId: '2006628907041292645' }),
      becomes: [
        {
          ...order,
          orderId: '2006628907041292645',
          price: '67000',
          orderedVolume: '2',
          time: 1_704_967_622_000,
        },
      ],
    },
  ],
  fapi_openOrders: [
    { endpoint: 'futuresOpenOrders', call: ({ futures }) => futures.openOrders(), becomes: [order] },
  ],
  fapi_orderHistorical: [
    {
      endpoint: 'futuresOrderHistorical',
      call: ({ futures }) => futures.historyOrders({ contractName }),
      becomes: [
        {
          orderId: '777293886968070157',
          contractName,
          contractId: '1',
          side: 'buy',
          action: 'open',
          type: 'fok',
          status: 'canceled',
          positionType: 'isolated',
          leverage: '26',
          price: '41000',
          orderedVolume: '2',
          executedVolume: '1',
          executedValue: '4.1',
          averagePrice: '41000',
          openTakerFeeRate: '0.00065',
          openMakerFeeRate: '0.00025',
          closeTakerFeeRate: '0.00065',
          closeMakerFeeRate: '0.00025',
          time: 1_632_903_411_000,
        },
      ],
    },
  ],
  fapi_profitHistorical: [
    {
      endpoint: 'futuresProfitHistorical',
      call: ({ futures }) => futures.historyProfits(),
      becomes: [
        {
          id: '8764',
          contractId: '1',
          direction: 'short',
          positionType: 'isolated',
          leverage: '26',
          volume: '900',
          openPrice: '44500',
          averagePrice: '44500',
          fee: '-5.23575',
          fundingFee: '0',
          realizedPnl: '0',
          closePnl: '-45',
          settledPnl: '0',
          sharedLoss: '0',
          totalPnl: '-50.23575',
          createdTime: 1_632_882_691_000,
          updatedTime: 1_632_882_739_000,
        },
      ],
    },
  ],
  fapi_myTrades: [
    {
      endpoint: 'futuresMyTrades',
      call: ({ futures }) => futures.myTrades({ contractName: 'E-ETH-BTC' }),
      becomes: [
        {
          id: '100211',
          orderId: '150695552109032492',
          bidId: '150695552109032492',
          askId: '150695552109032493',
          contractName: 'E-ETH-BTC',
          symbol: 'ETHBTC',
          side: 'buy',
          liquidity: 'taker',
          price: '4.000001',
          volume: '12',
          fee: '0.001',
          time: 1_499_865_549_590,
        },
      ],
    },
    {
      endpoint: 'futuresMyTrades',
      call: ({ futures }) => futures.myTrades({ contractName: 'E-ETH-USDT' }),
      becomes: [
        {
          id: '1528',
          orderId: '1874564572563538130',
          bidId: '1874564572563538130',
          askId: '1954072405852309104',
          contractName: 'E-ETH-USDT',
          side: 'buy',
          liquidity: 'maker',
          price: '10',
          volume: '3',
          value: '0.3',
          fee: '0.001',
          bidUserId: '10034',
          askUserId: '10378',
          time: 1_701_419_186_000,
        },
      ],
    },
  ],
}
