import { runBacktest } from '../../backtest/run-backtest.ts'
import { declaredWarmUp } from '../../backtest/trust/declared-warm-up.ts'
import type { BacktestConfigInput } from '../bot/config/backtest-config.ts'
import { instrumentFrom } from '../bot/config/instrument-from.ts'
import type { Notice } from '../domain/engine-output.ts'
import type { Size } from '../domain/signal.ts'
import { UsageError } from '../domain/sluice-error.ts'
import { columnsFrom } from '../klines/kline-columns.ts'
import type { Strategy } from '../strategy/define-strategy.ts'
import type { GivenParameter } from '../strategy/parameters.ts'
import type { KlineScript } from './klines.ts'
import { type TriedRun, triedRun } from './tried-run.ts'
import { configOf } from './tried-settings.ts'

/** What a strategy is tried on, and with. */
export interface TryOptions {
  /** What `klines` or `recordedMarket` gave. */
  readonly klines: KlineScript
  /** Those that are left out have the strategy's defaults. */
  readonly parameters?: Readonly<Record<string, GivenParameter>>
  /** What the account holds at first: an amount of quote, or amounts by asset. Default: 10000 of quote. */
  readonly balance?: number | Readonly<Record<string, number | string>>
  /** Size of signals that name none. Default: one unit of base. */
  readonly size?: Size
  /** Default: BTC/USDT. */
  readonly symbol?: string
  /** Account, rules of the instrument, fill rules and risk, as in config/backtest.yaml; what is left out costs nothing. */
  readonly config?: BacktestConfigInput
}

/**
 * Runs a strategy over a few klines, through the same engine, risk checks and fill rules as a backtest, and gives what it
 * did in plain numbers. By default nothing costs anything and an entry is one unit, so that expected numbers can be worked
 * out by hand. Throws `UsageError` for what cannot be run, and the `StrategyError` of a strategy that fails.
 */
export function tryStrategy(strategy: Strategy, options: TryOptions): TriedRun {
  const { parameters = {}, symbol = 'BTC/USDT' } = options
  const { interval, list } = options.klines
  const config = configOf({ ...options, symbol })
  const instrument = instrumentFrom(config, symbol)
  const warmUp = declaredWarmUp({ strategy, parameters, instrument, interval })
  if (list.length <= warmUp) {
    throw new UsageError(
      `Strategy "${strategy.name}" decides nothing before it has seen ${warmUp} klines, and there are ${list.length}; write more klines, or give smaller parameters.`,
    )
  }
  const { sizingReference, closeAtEnd, ...fills } = config.fills
  const notices: Notice[] = []
  const result = runBacktest({
    ...{ klines: columnsFrom(list), instrument, interval, strategy, parameters, fills },
    ...{ sizingReference, closeAtEnd, size: config.size, risk: config.risk },
    balances: config.account.balance,
    onNotice: notice => notices.push(notice),
  })
  return triedRun({ result, notices, instrument, list })
}
