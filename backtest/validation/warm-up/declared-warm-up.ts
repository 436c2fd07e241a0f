import type { StrategyView } from '../../../src/strategy/strategy-view.ts'
import type { BacktestOptions } from '../../run/backtest-options.ts'

type Declaring = Pick<BacktestOptions, 'strategy' | 'parameters' | 'instrument' | 'interval'>

/** Klines that a strategy declares to need before its first decision. */
export function declaredWarmUp(declaring: Declaring): number {
  return runOf(declaring).warmUp
}

/** Klines that it declares to need of each feed, by name. */
export function declaredFeedWarmUps(declaring: Declaring): ReadonlyMap<string, number> {
  return new Map(runOf(declaring).feeds.map(({ name, warmUp }) => [name, warmUp]))
}

/** The state with which it begins; `undefined` without one. */
export function freshMemory(declaring: Declaring): unknown {
  return runOf(declaring).memory
}

function runOf({ strategy, parameters, instrument, interval }: Declaring) {
  return strategy.start(parameters, { ...NOTHING_YET, instrument, interval })
}

const FLAT = { direction: 'flat', quantity: 0, entryPrice: Number.NaN, openedAt: Number.NaN } as const

const NOTHING_YET: Omit<StrategyView, 'instrument' | 'interval'> = {
  time: Number.NaN,
  price: Number.NaN,
  position: FLAT,
  positions: { long: FLAT, short: FLAT },
  lots: [],
  orders: [],
  equity: 0,
  balance: () => 0,
  markets: {},
  plot: () => undefined,
}
