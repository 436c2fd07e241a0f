import { DEFAULT_FILL_SETTINGS } from '../../../backtest/models/fill-settings.ts'
import type { BacktestOptions } from '../../../backtest/run/backtest-options.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import type { Strategy } from '../../../src/strategy/define-strategy.ts'
import { MARGIN } from '../../engine/engine-session.ts'
import { klinesOf, type Row } from '../kline-table.ts'

/** A backtest of minutes on a margin account with 10,000 quote, a size of 1 base and the default fills. */
export function backtestOf(
  strategy: Strategy,
  rows: readonly Row[],
  settings: Partial<BacktestOptions> = {},
): BacktestOptions {
  return {
    klines: klinesOf(rows),
    instrument: MARGIN,
    interval: '1m',
    strategy,
    parameters: {},
    balances: new Map([['USDT', amountOf('10000')]]),
    size: { base: 1 },
    fills: DEFAULT_FILL_SETTINGS,
    sizingReference: 'decision',
    closeAtEnd: 'no',
    ...settings,
  }
}
