import type { FuturesTerms } from '../../src/domain/futures-terms.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { amountOf, rateOf } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'

/** BTC/USDT on a margin account: tick 0.01, step 0.001, fees of 0.02% and 0.05% in quote, leverage up to 5. */
export const MARGIN_BTC: Instrument = {
  symbol: 'BTC/USDT',
  base: 'BTC',
  quote: 'USDT',
  pricePrecision: 2,
  quantityPrecision: 3,
  minPrice: ticks(100),
  minQuantity: steps(2),
  maxQuantity: steps(50_000),
  minNotional: amountOf('10'),
  leverage: { min: 1, max: 5 },
  accountType: 'margin',
  fees: { maker: rateOf('0.0002'), taker: rateOf('0.0005'), paidIn: 'quote' },
}

/** The same grid on a spot account, which takes a fee of 0.1% from the asset received. */
export const SPOT_BTC: Instrument = {
  ...MARGIN_BTC,
  leverage: { min: 1, max: 1 },
  accountType: 'spot',
  fees: { maker: rateOf('0.0008'), taker: rateOf('0.001'), paidIn: 'received' },
}

/** BTC/USDT on a margin account as the interface serves it: own funds only, no order that never rests but `ioc`. */
export const OWN_FUNDS_BTC: Instrument = {
  ...SPOT_BTC,
  accountType: 'margin',
  ownFundsOnly: true,
  limitKinds: ['ioc'],
}

/** Contracts of 0.01 BTC, tick 0.1, held isolated at leverage 10; kept: 0.5% and the larger fee of 0.05%. */
export const FUTURES_BTC: Instrument = {
  ...MARGIN_BTC,
  pricePrecision: 1,
  quantityPrecision: 0,
  minPrice: ticks(1),
  minQuantity: steps(1),
  minNotional: amountOf('1'),
  leverage: { min: 1, max: 100 },
  accountType: 'futures',
  contractSize: amountOf('0.01'),
  futures: {
    leverage: 10,
    marginMode: 'isolated',
    positionMode: 'oneWay',
    maintenance: [{ rate: rateOf('0.005') }],
  },
}

/** The same with other terms. */
export function futuresWith(terms: Partial<FuturesTerms>): Instrument {
  return { ...FUTURES_BTC, futures: { ...(FUTURES_BTC.futures as FuturesTerms), ...terms } } // it has some
}
