import type { PlayedMarket } from '../fills/played-market.ts'
import type { BacktestMarket } from './backtest-options.ts'

/** Instruments traded by a market: its own, then those of its strategy's roles, in order of declaration. */
export function playedMarketsOf<Market extends Pick<BacktestMarket, 'strategy' | 'roles'> & PlayedMarket>(
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
