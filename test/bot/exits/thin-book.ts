import { flatMarket } from '../../simulator/exchange-caller.ts'
import { type BotSessionOptions, KEY, SECRET } from '../bot-session.ts'

/**
 * An exchange at 100 that takes 1.5 BTC or so at once, 60 and 90 USDT at two prices, and then nothing until somebody has
 * offered anew some seconds later.
 */
export const THIN_BOOK: NonNullable<BotSessionOptions['exchange']> = {
  listings: [
    {
      ...{ symbol: 'BTC/USDT', makerFeeRate: '0', takerFeeRate: '0' },
      market: { type: 'klines', klines: flatMarket(100, 60) },
    },
  ],
  liquidity: { levelNotionals: ['60', '90'] },
  accounts: [{ apiKey: KEY, apiSecret: SECRET, balances: { USDT: '10000' } }],
}
