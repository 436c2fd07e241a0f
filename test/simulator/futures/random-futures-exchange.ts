import fc from 'fast-check'
import type { TopOfBook } from '../../../src/domain/market-data/top-of-book.ts'
import type { Trade } from '../../../src/domain/market-data/trade.ts'
import { createSimulatedExchange, type SimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { klinesOf, MINUTE, replayOf, START } from '../exchange-caller.ts'
import { type ContractInput, ROUND_CONTRACT, SECOND, THIRD } from './futures-caller.ts'

const HOUR = 60 * MINUTE
/** Five minutes before every contract settles its funding. */
export const OPENING = START + 8 * HOUR - 5 * MINUTE
/** What all users have together, in USDT: margin and on the spot side. */
export const MONEY = 2060
/** Prices in cents of forty minutes. */
export const futuresMarket = fc.array(fc.integer({ min: 9_500, max: 10_500 }), {
  minLength: 40,
  maxLength: 40,
})

/**
 * Three contracts: two on one spot pair, of which one has a premium and settles every hour, and one of recorded ticks with
 * quotes of its own. Three users, the third of little money, 50x.
 */
export function futuresExchangeOn(cents: readonly number[]): SimulatedExchange {
  const prices = cents.map(price => price / 100)
  const klines = klinesOf(...prices.map(price => [price, price + 0.9, price - 0.9, price] as const)).map(
    kline => ({ ...kline, openTime: kline.openTime - START + OPENING }),
  )
  const contracts: ContractInput[] = [
    ROUND_CONTRACT,
    {
      ...ROUND_CONTRACT,
      ...{ symbol: 'S-BTC-USDT', premium: '0.002', fundingHours: 1 },
      market: { type: 'spot', symbol: 'BTC/USDT' },
    },
    {
      ...ROUND_CONTRACT,
      ...{ symbol: 'E-ETH-USDT', fundingRate: '-0.0007', premium: '-0.001', fundingHours: 4 },
      market: { type: 'ticks', trades: prices.map(tradeOf), quotes: prices.flatMap(quotesOf) },
    },
  ]
  const money = { balances: { USDT: '500' }, futuresBalances: { USDT: '250' } }
  const exchange = createSimulatedExchange(
    replayOf(klines, {
      accounts: [
        { ...TEST_ACCOUNT, ...money },
        { ...SECOND, ...money },
        { ...THIRD, balances: { USDT: '500' }, futuresBalances: { USDT: '60' } },
      ],
      liquidity: { spreadTicks: 3, levelNotionals: ['60', '50', '40'] },
      futures: { contracts, leverage: 50 },
      limits: { areEnforced: false },
    }),
  )
  exchange.advance(OPENING)
  return exchange
}

/** Half as dear as the spot pair, a trade every 20 seconds. */
function tradeOf(price: number, index: number): Trade {
  const side = index % 3 === 0 ? 'sell' : 'buy'
  return { time: OPENING + index * 20_000, price: price / 2, quantity: 1 + (index % 4), side }
}

/** Quotes that move twice between two trades, by less each time. */
function quotesOf(price: number, index: number, prices: readonly number[]): TopOfBook[] {
  const next = prices[index + 1] ?? price
  return [1, 2].map(step => {
    const middle = (price * (3 - step) + next * step) / 6
    return {
      time: OPENING + index * 20_000 + step * 6_000,
      bid: Math.floor(middle * 100) / 100 - 0.02,
      bidQuantity: 2 + step,
      ask: Math.floor(middle * 100) / 100 + 0.03,
      askQuantity: 5 - step,
    }
  })
}
