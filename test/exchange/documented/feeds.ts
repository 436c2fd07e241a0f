import type { DocumentedCalls } from './documented-call.ts'

const none = { quoteVolume: '0', baseVolume: '0', percentChange: '0', lowestAsk: '0', highestBid: '0' }

/** Public feeds (interface section 4.8). */
export const FEEDS: DocumentedCalls = {
  pub_summary: [
    {
      endpoint: 'feedSummary',
      call: ({ feeds }) => feeds.summary(),
      becomes: {
        pairs: [
          {
            symbol: 'ETH/USDT',
            id: '47',
            isFrozen: false,
            last: '238.2',
            high: '238.2',
            low: '238.2',
            ...none,
          },
          { symbol: 'BCH/USDT', id: '49', isFrozen: false, last: '1', high: '1', low: '1', ...none },
        ],
        coins: [
          { asset: 'MATIC', name: 'MATIC', canWithdraw: true, canDeposit: true },
          { asset: 'FAIR', name: 'FAIR', canWithdraw: true, canDeposit: true },
        ],
      },
    },
  ],
  pub_asset: [
    {
      endpoint: 'feedAssets',
      call: ({ feeds }) => feeds.assets(),
      becomes: [
        {
          asset: 'BTC',
          name: 'Bitcoin',
          unifiedId: '1',
          canWithdraw: true,
          canDeposit: true,
          minWithdraw: '0.2',
          maxWithdraw: '120',
          makerFeeRate: '0.001',
          takerFeeRate: '0.001',
        },
        {
          asset: 'ATC',
          name: 'ATC',
          unifiedId: '1465',
          canWithdraw: true,
          canDeposit: true,
          minWithdraw: '50',
          maxWithdraw: '100000',
          makerFeeRate: '0.001',
          takerFeeRate: '0.001',
        },
      ],
    },
  ],
  pub_ticker: [
    {
      endpoint: 'feedQuotes',
      call: ({ feeds }) => feeds.quotes(),
      becomes: [
        {
          symbol: 'ETH/BTC',
          baseId: '51',
          quoteId: '50',
          last: '0.04284531',
          baseVolume: '2',
          quoteVolume: '46.6795548917722849',
          baseVolume24h: '0',
          quoteVolume24h: '0',
        },
        {
          symbol: 'BTC/USDT',
          baseId: '50',
          quoteId: '49',
          last: '98000',
          baseVolume: '0.10204081',
          quoteVolume: '0.0000010412327551',
          baseVolume24h: '0',
          quoteVolume24h: '0',
        },
      ],
    },
  ],
  pub_orderbook: [
    {
      endpoint: 'feedOrderBook',
      call: ({ feeds }) => feeds.orderBook({ symbol: 'BTC/USDT' }),
      becomes: {
        bids: [
          { price: '197001.86', quantity: '0.1' },
          { price: '196000', quantity: '0.46938777' },
        ],
        asks: [
          { price: '196000', quantity: '0.46938777' },
          { price: '197001.86', quantity: '0.1' },
        ],
        time: 1_766_991_308_472,
      },
    },
  ],
  pub_trades: [
    {
      endpoint: 'feedTrades',
      call: ({ feeds }) => feeds.trades({ base: 'BTC', quote: 'USDT' }),
      becomes: [
        {
          id: '52594123',
          side: 'sell',
          price: '35000',
          quantity: '0.2',
          quoteAmount: '7000',
          time: 1_762_965_519_813,
        },
        {
          id: '52594124',
          side: 'buy',
          price: '98000',
          quantity: '0.10204081',
          quoteAmount: '0.0000010412327551',
          time: 1_762_965_571_597,
        },
      ],
    },
  ],
  pub_coingecko_contracts: [
    {
      endpoint: 'feedContracts',
      call: ({ feeds }) => feeds.contracts(),
      becomes: [
        {
          tickerId: 'E-BTC-USDT',
          base: 'BTC',
          quote: 'USDT',
          productType: 'perpetual',
          contractType: 'Vanilla',
          last: '0',
          ask: '98000',
          high: '0',
          low: '0',
          baseVolume: '0',
          quoteVolume: '0',
          openInterest: '1116.3655',
          openInterestUsd: '102573030.06495740245',
          indexPrice: '0',
          contractPrice: '0',
          contractPriceCurrency: 'USDT',
          fundingRate: '0',
          nextFundingRate: '0',
          nextFundingTime: 1_768_291_200_000,
          time: 1_768_289_995_029,
        },
      ],
    },
  ],
  pub_coingecko_contract_orderbook: [
    {
      endpoint: 'feedContractBook',
      call: ({ feeds }) => feeds.contractBook({ tickerId: 'E-BTC-USDT' }),
      becomes: {
        tickerId: 'E-BTC-USDT',
        bids: [
          { price: '97000', quantity: '100' },
          { price: '96500.93', quantity: '100' },
        ],
        asks: [
          { price: '98000', quantity: '100' },
          { price: '98500.93', quantity: '100' },
        ],
        time: 1_768_289_995_029,
      },
    },
  ],
}
