import type { StrategyView } from '../../src/strategy/strategy-view.ts'
import type { BacktestOptions } from '../run-backtest.ts'

/** The klines that a strategy says it needs to see before its first decision. */
export function declaredWarmUp({
  strategy,
  parameters,
  instrument,
  interval,
}: Pick<BacktestOptions, 'strategy' | 'parameters' | 'instrument' | 'interval'>): number {
  return strategy.start(parameters, { ...NOTHING_YET, instrument, interval }).warmUp
}

const FLAT = { direction: 'flat', quantity: 0, entryPrice: Number.NaN, openedAt: Number.NaN } as const

const NOTHING_YET: Omit<StrategyView, 'instrument' | 'interval'> = {
  time: Number.NaN,
  price: Number.NaN,
  position: FLAT,
  positions: { long: FLAT, short: FLAT },
  orders: [],
  equity: 0,
  balance: () => 0,
  markets: {},
}
