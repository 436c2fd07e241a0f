import { type BacktestResult, runBacktest } from '../../backtest/run-backtest.ts'
import { backtestConfigSchema } from '../../src/bot/config/backtest-config.ts'
import { instrumentFrom } from '../../src/bot/config/instrument-from.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import smaCross from '../../strategies/sma-cross.ts'

/** The sma-cross strategy (20, 50) over klines of minutes with the defaults of config/backtest.yaml. */
export function sluiceSmaCross(klines: KlineColumns): BacktestResult {
  const config = backtestConfigSchema.parse({})
  const { sizingReference, closeAtEnd, ...fills } = config.fills
  return runBacktest({
    klines,
    instrument: instrumentFrom(config, 'BTC/USDT'),
    interval: '1m',
    strategy: smaCross,
    parameters: { fast: 20, slow: 50 },
    balances: config.account.balance,
    size: config.size,
    fills,
    sizingReference,
    closeAtEnd,
  })
}
