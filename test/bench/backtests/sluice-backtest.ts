import type { BacktestResult } from '../../../backtest/results/backtest-result.ts'
import type { BacktestOptions } from '../../../backtest/run/backtest-options.ts'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import { backtestConfigSchema } from '../../../src/config/backtest-config.ts'
import { instrumentFrom } from '../../../src/config/instrument-from.ts'
import type { KlineColumns } from '../../../src/klines/kline-columns.ts'
import smaCross from '../../../strategies/sma-cross.ts'
import type { SmaCrossSettings } from './bare-sma-cross.ts'

/** Options of a backtest over klines of minutes with the defaults of config/backtest.yaml, and `cash` USDT. */
export function backtestOptions(
  klines: KlineColumns,
  cash: number,
): Omit<BacktestOptions, 'strategy' | 'parameters'> {
  const config = backtestConfigSchema.parse({ account: { balance: { USDT: cash } } })
  const { sizingReference, closeAtEnd, ...fills } = config.fills
  return {
    klines,
    instrument: instrumentFrom(config, 'BTC/USDT'),
    interval: '1m',
    balances: config.account.balance,
    size: config.size,
    fills,
    sizingReference,
    closeAtEnd,
  }
}

/** The sma-cross strategy, ready to run. */
export function smaCrossRun(klines: KlineColumns, settings: SmaCrossSettings): () => BacktestResult {
  const { fast, slow, equityFraction, cash } = settings
  const options = {
    ...backtestOptions(klines, cash),
    strategy: smaCross,
    parameters: { fast, slow },
    size: { equityFraction },
  }
  return () => runBacktest(options)
}
