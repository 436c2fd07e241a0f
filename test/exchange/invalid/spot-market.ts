import type { InvalidCall } from './invalid-call.ts'

const symbol = 'BTC/USDT'
const SYMBOL_FORM = 'must have the form BASE/QUOTE'

/** Rules of interface section 4.1. */
export const SPOT_MARKET: readonly InvalidCall[] = [
  ['depth without a slash', ({ spot }) => spot.depth({ symbol: 'BTCUSDT' }), 'symbol', SYMBOL_FORM, '4.1'],
  [
    'depth of 101 levels',
    ({ spot }) => spot.depth({ symbol, limit: 101 }),
    'limit',
    'must be a whole number from 1 to 100',
    '4.1',
  ],
  [
    'tickers of no pair',
    ({ spot }) => spot.tickers({ symbols: [] }),
    'symbols',
    'must be pairs of the form BASE/QUOTE, separated by commas',
    '4.1',
  ],
  [
    '1001 trades',
    ({ spot }) => spot.trades({ symbol, limit: 1001 }),
    'limit',
    'must be a whole number from 1 to 1000',
    '4.1',
  ],
  [
    'klines of an interval that is not offered',
    ({ spot }) => spot.klines({ symbol, interval: '4h' }),
    'interval',
    'must be one of 1min, 5min, 15min, 30min, 60min, 1day, 1week, 1month',
    '4.1',
  ],
  [
    'klines in half a zone',
    ({ spot }) => spot.klines({ symbol, interval: '1d', timezone: 'CET' }),
    'timezone',
    'must have the form UTC-09',
    '4.1',
  ],
  [
    'klines of a window that ends first',
    ({ spot }) => spot.klines({ symbol, interval: '1d', startTime: 2, endTime: 1 }),
    'endTime',
    'must not be before the start of the window',
    '4.1',
  ],
]
