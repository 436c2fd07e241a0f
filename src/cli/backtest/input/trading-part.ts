import type { BacktestReport } from '../../../../backtest/report/backtest-report.ts'
import type { BacktestResult } from '../../../../backtest/results/backtest-result.ts'
import type { BacktestInput } from '../backtest-input.ts'

/** Part of a report about what kept orders from trading; without configured limits and protections, the changes of the trading mode are left out. */
export function tradingPart(
  inputs: readonly BacktestInput[],
  { tradingChanges, endings, cutOrders, missedTargets, replacedExits }: BacktestResult,
): Pick<BacktestReport, 'tradingChanges' | 'endings' | 'cutOrders' | 'missedTargets' | 'replacedExits'> {
  const isConfigured = inputs.some(({ risk, strategyRisk }) => (risk ?? strategyRisk) !== undefined)
  const part = { endings, cutOrders, missedTargets, replacedExits }
  return isConfigured || tradingChanges.length > 0 ? { tradingChanges, ...part } : part
}
