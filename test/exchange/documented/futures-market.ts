import type { DocumentedCalls } from './documented-call.ts'

const contractName = 'E-BTC-USDT'

const ticker = {
  high: '9279.0301',
  low: '9279.0301',
  last: '9200',
  volume: '1302',
  change: '0',
  time: 1_595_563_624_731,
}

const sixPrices = { open: 6228.77, high: 6228.77, low: 6228.77, close: 6228.77 }

/** Futures market data (interface section 4.5). */
export const FUTURES_MARKET: DocumentedCalls = {
  fapi_time: [{ endpoint: 'futuresTime', call: ({ futures }) => futures.time(), becomes: 1_607_702_400_000 }],
  fapi_contracts: [
    {
      endpoint: 'futuresContracts',
      call: ({ futures }) => futures.contracts(),
      becomes: [
        {
          contractName: 'H-HT-USDT',
          type: 'mixed',
          isTradable: true,
          side: 'forward',
          multiplier: '6',
          multiplierCoin: 'HT',
          pricePrecision: 8,
          minOrderVolume: '1',
          minOrderMoney: '0.001',
          maxMarketVolume: '100000',
          maxMarketMoney: '10000000',
          maxLimitVolume: '1000000',
          maxLimitMoney: '1000000',
          maxOpenOrders: 20,
          minLeverage: '1',
          maxLeverage: '75',
          openTakerFeeRate: '0.0002',
          openMakerFeeRate: '0.0002',
          closeTakerFeeRate: '0.0002',
          closeMakerFeeRate: '0.0002',
        },
      ],
    },
  ],
  fapi_depth: [
    {
      endpoint: 'futuresDepth',
      call: ({ futures }) => futures.depth({ contractName }),
      becomes: {
        bids: [
          { price: '4', quantity: '431' },
          { price: '3.9', quantity: '431' },
        ],
        asks: [
          { price: '4.000002', quantity: '12' },
          { price: '5.1', quantity: '28' },
        ],
      },
    },
  ],
  fapi_ticker: [
    {
      endpoint: 'futuresTicker',
      call: ({ futures }) => futures.ticker({ contractName }),
      becomes: { contractName, ...ticker },
    },
    {
      endpoint: 'futuresTicker',
      call: ({ futures }) => futures.ticker({ contractName }),
      becomes: {
        contractName,
        high: '56120.22',
        low: '55982.24',
        last: '55989.93',
        volume: '51.21',
        change: '0.05',
        bid: '55988.1',
        ask: '55990.1',
        time: 1_704_966_225_000,
      },
    },
  ],
  fapi_ticker_all: [
    {
      endpoint: 'futuresTickerAll',
      call: ({ futures }) => futures.tickers(),
      next: ['[]'],
      becomes: [
        { contractName: 'E_BTCUSDT', ...ticker },
        { contractName: 'E_ETHUSDT', ...ticker },
      ],
    },
  ],
  fapi_index: [
    {
      endpoint: 'futuresIndex',
      call: ({ futures }) => futures.indexPrice({ contractName: 'E-ETH-USDT' }),
      becomes: {
        contractName: 'E-ETH-USDT',
        indexPrice: '646.3933333333333',
        markPrice: '581.5',
        lastFundingRate: '0.001',
        time: 1_608_273_554_063,
      },
    },
  ],
  fapi_klines: [
    {
      endpoint: 'futuresKlines',
      call: ({ futures }) => futures.klines({ contractName, interval: '1m' }),
      becomes: [
        { openTime: 1_587_632_160_000, ...sixPrices, volume: 222 },
        { openTime: 1_594_640_340_000, ...sixPrices, volume: 111 },
      ],
    },
    {
      endpoint: 'futuresKlines',
      call: ({ futures }) => futures.klines({ contractName, interval: '1m' }),
      // The published time has a digit too many; it is read as it stands.
      becomes: [
        {
          openTime: 15_946_403_400_000,
          open: 6195.8,
          high: 6228.77,
          low: 6190.48,
          close: 6210.51,
          volume: 111,
        },
      ],
    },
  ],
}
