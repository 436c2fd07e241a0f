import type { ReplayedMarket } from '../../../backtest/metrics/market.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { amountOf, rateOf } from '../../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import type { KlineColumns } from '../../../src/klines/kline-columns.ts'

/** BTC/USDT on spot, with prices of 2 and quantities of 5 decimals. */
export const SPOT: Instrument = {
  symbol: 'BTC/USDT',
  base: 'BTC',
  quote: 'USDT',
  pricePrecision: 2,
  quantityPrecision: 5,
  minPrice: ticks(1),
  minQuantity: steps(1),
  maxQuantity: steps(10 ** 12),
  minNotional: amountOf('10'),
  leverage: { min: 1, max: 1 },
  accountType: 'spot',
  fees: { maker: rateOf('0.001'), taker: rateOf('0.001'), paidIn: 'received' },
}

/** Open, high, low and close of one kline. */
export type Prices = readonly [open: number, high: number, low: number, close: number]

/** A market of hourly klines; those at `without` are absent. */
export function hourlyMarket(rows: readonly Prices[], without: readonly number[] = []): ReplayedMarket {
  const kept = rows.map((prices, hour) => ({ prices, hour })).filter(({ hour }) => !without.includes(hour))
  const column = (place: 0 | 1 | 2 | 3) => Float64Array.from(kept, ({ prices }) => prices[place])
  const klines: KlineColumns = {
    length: kept.length,
    openTime: Float64Array.from(kept, ({ hour }) => hour * 3_600_000),
    open: column(0),
    high: column(1),
    low: column(2),
    close: column(3),
    volume: new Float64Array(kept.length),
  }
  return { instrument: SPOT, interval: '1h', klines }
}
