import type { Instrument } from '../../src/domain/instrument.ts'
import type { Interval } from '../../src/domain/market-data/interval.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import type { FuturesData } from '../futures/futures-data.ts'
import type { BacktestMarket } from './backtest-options.ts'
import type { DetailKlines } from './detail-klines.ts'

/** Klines that an instrument is traded on. */
export interface PlayedMarket {
  readonly instrument: Instrument
  readonly interval: Interval
  readonly klines: KlineColumns
  readonly detail?: DetailKlines | undefined
  /** On a futures account: what is known of the contract beside its klines. */
  readonly futures?: FuturesData | undefined
}

/** What is traded of one market: its own instrument, then those of its strategy's roles, as they are declared. */
export function tradedMarkets<Market extends Pick<BacktestMarket, 'strategy' | 'roles'> & PlayedMarket>(
  market: Market,
): readonly PlayedMarket[] {
  const { interval, roles = {}, strategy } = market
  return [
    market,
    ...strategy.markets.flatMap(role => {
      const of = roles[role]
      return of === undefined ? [] : [{ ...of, interval }]
    }),
  ]
}
