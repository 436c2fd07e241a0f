import { UsageError } from '../../../src/domain/sluice-error.ts'
import type { BacktestOptions } from '../../run/backtest-options.ts'
import { declaredWarmUp } from './declared-warm-up.ts'

/**
 * Throws `UsageError` if the klines end before the strategy's first decision: the result would be empty. Returns its warm-up in
 * klines.
 */
export function requireDecisions(
  backtest: Pick<BacktestOptions, 'strategy' | 'parameters' | 'instrument' | 'interval' | 'klines'>,
): number {
  const warmUp = declaredWarmUp(backtest)
  const { length } = backtest.klines
  if (length > warmUp) return warmUp
  throw new UsageError(
    `Strategy "${backtest.strategy.name}" decides nothing before it has seen ${warmUp} klines, and there are ${length}; give a longer period.`,
  )
}
