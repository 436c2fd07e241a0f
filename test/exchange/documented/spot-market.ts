import { rejectionOf } from '../call/scripted-exchange.ts'
import type { DocumentedCalls } from './documented-call.ts'

const ticker = {
  time: 1_595_563_624_731,
  high: '9279.0301',
  low: '9279.0301',
  last: '9200',
  volume: '1302',
  quoteVolume: '3213',
  change: '0',
  bid: '12323',
  bidQuantity: '213213',
  ask: '123',
  askQuantity: '213213',
}

const BITCOIN =
  '{"symbols":[{"symbol":"btcusdt","baseAsset":"BTC","quoteAsset":"USDT","pricePrecision":2,"quantityPrecision":5}]}'

const sixPrices = { open: 6228.77, high: 6228.77, low: 6228.77, close: 6228.77 }

const limits = {
  minPrice: '123.45',
  minQuantity: '10',
  minNotional: '100',
  makerFeeRate: '0.002',
  takerFeeRate: '0.002',
}

/** Spot market data (interface section 4.1). */
export const SPOT_MARKET: DocumentedCalls = {
  spot_ping: [{ endpoint: 'spotPing', call: ({ spot }) => spot.ping(), becomes: undefined }],
  spot_time: [{ endpoint: 'spotTime', call: ({ spot }) => spot.time(), becomes: 1_595_563_624_731 }],
  spot_symbols: [
    {
      endpoint: 'spotSymbols',
      call: ({ spot }) => spot.symbols(),
      becomes: [
        {
          symbol: 'SCCA/DAI',
          wireSymbol: 'sccadai',
          base: 'SCCA',
          quote: 'DAI',
          pricePrecision: 6,
          quantityPrecision: 3,
          ...limits,
        },
        {
          symbol: 'BTC/USDT',
          wireSymbol: 'btcusdt',
          base: 'BTC',
          quote: 'USDT',
          pricePrecision: 2,
          quantityPrecision: 8,
          ...limits,
        },
      ],
    },
    {
      endpoint: 'spotSymbols',
      call: ({ spot }) => spot.symbols(),
      becomes: [
        {
          symbol: 'BTC/USDT',
          wireSymbol: 'BTCUSDT',
          base: 'BTC',
          quote: 'USDT',
          pricePrecision: 2,
          quantityPrecision: 5,
          minQuantity: '0.00001',
          maxQuantity: '100',
          minNotional: '1',
        },
      ],
    },
  ],
  spot_depth: [
    {
      endpoint: 'spotDepth',
      call: ({ spot }) => spot.depth({ symbol: 'BTC/USDT' }),
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
  spot_ticker: [
    {
      endpoint: 'spotTicker',
      call: ({ spot }) => spot.ticker({ symbol: 'BTC/USDT' }),
      becomes: { symbol: 'BTC/USDT', ...ticker },
    },
    {
      endpoint: 'spotTicker',
      call: ({ spot }) => spot.tickers(),
      next: [BITCOIN],
      becomes: [
        { symbol: 'BTC/USDT', ...ticker },
        { symbol: 'ETHUSDT', ...ticker },
      ],
    },
  ],
  spot_trades: [
    {
      endpoint: 'spotTrades',
      call: ({ spot }) => spot.trades({ symbol: 'BTC/USDT' }),
      becomes: [
        {
          id: '629861',
          symbol: 'BTC/USDT',
          side: 'buy',
          price: '3.000001',
          quantity: '11',
          time: 1_499_865_549_590,
        },
      ],
    },
  ],
  spot_klines: [
    {
      endpoint: 'spotKlines',
      call: ({ spot }) => spot.klines({ symbol: 'BTC/USDT', interval: '1m' }),
      becomes: [
        { openTime: 1_587_632_100_000, ...sixPrices, volume: 333 },
        { openTime: 1_587_632_160_000, ...sixPrices, volume: 222 },
        { openTime: 1_594_640_340_000, ...sixPrices, volume: 111 },
      ],
    },
  ],
  errors: [
    {
      endpoint: 'spotDepth',
      call: async ({ spot }) => {
        // What an exchange says no with is an ExchangeError, which has these fields.
        const error = (await rejectionOf(spot.depth({ symbol: 'BTC/USDT' }))) as Record<string, unknown>
        const { code, exchangeCode, exchangeName, reason } = error
        return { code, exchangeCode, exchangeName, reason }
      },
      becomes: {
        code: 'EXCHANGE_REFUSED',
        exchangeCode: -1121,
        exchangeName: 'BAD_SYMBOL',
        reason: 'Invalid symbol.',
      },
    },
  ],
}
