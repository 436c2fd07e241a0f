import { amountOf, rateOf } from '../../src/domain/amount.ts'
import { steps, ticks } from '../../src/domain/grid.ts'
import type { Instrument } from '../../src/domain/instrument.ts'

/** BTC/USDT on a margin account: tick 0.01, step 0.001, fees of 0.02 % and 0.05 % in quote, leverage up to 5. */
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

/** The same grid on a spot account, which takes a fee of 0.1 % from the asset received. */
export const SPOT_BTC: Instrument = {
  ...MARGIN_BTC,
  leverage: { min: 1, max: 1 },
  accountType: 'spot',
  fees: { maker: rateOf('0.0008'), taker: rateOf('0.001'), paidIn: 'received' },
}
