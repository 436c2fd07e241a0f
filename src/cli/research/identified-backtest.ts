import { closeTimeOf } from '../../domain/market-data/interval.ts'
import { manifestFor } from '../backtest/backtest-command.ts'
import type { BacktestCommandOptions } from '../backtest/backtest-command-options.ts'
import type { BacktestInput } from '../backtest/backtest-input.ts'
import { rolesBacktest } from '../backtest/markets-report.ts'
import type { IdentifiedBacktest } from './trial-identity.ts'

/** The backtest of an input as the study knows its trials: as the report of one of them tells it. */
export function identifiedBacktest(
  options: BacktestCommandOptions,
  input: BacktestInput,
): IdentifiedBacktest {
  const { instrument, interval, klines, strategy, roles, ticks } = input
  const from = klines.openTime[0] as number // there is at least one kline
  const to = closeTimeOf(klines.openTime.at(-1) as number, interval)
  const hasRoles = Object.keys(roles).length > 0
  const { markets, manifest } = hasRoles
    ? rolesBacktest(options, input, { from, to })
    : { markets: [{ instrument, interval, klines }], manifest: manifestFor(options, input, to) }
  return { strategy: strategy.name, markets, manifest, playsTrades: ticks !== undefined && !hasRoles }
}
