import type { BacktestOptions } from '../../../../backtest/run/backtest-options.ts'
import { declaredWarmUp } from '../../../../backtest/validation/warm-up/declared-warm-up.ts'
import { UsageError } from '../../../domain/sluice-error.ts'

/** Throws `UsageError` if the klines end before the strategy's first decision: the result would be empty. */
export function requireDecisions(
  backtest: Pick<BacktestOptions, 'strategy' | 'parameters' | 'instrument' | 'interval' | 'klines'>,
): void {
  const warmUp = declaredWarmUp(backtest)
  const { length } = backtest.klines
  if (length > warmUp) return
  throw new UsageError(
    `Strategy "${backtest.strategy.name}" decides nothing before it has seen ${warmUp} klines, and there are ${length}; give a longer period.`,
  )
}
