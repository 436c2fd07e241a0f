import type { BacktestReport } from '../../../../backtest/report/backtest-report.ts'
import type { BacktestResult } from '../../../../backtest/results/backtest-result.ts'
import type { BacktestInput } from '../backtest-input.ts'

/** Part of a report about holds on trading; empty without configured limits and protections. */
export function tradingPart(
  inputs: readonly BacktestInput[],
  { tradingChanges, endings }: BacktestResult,
): Pick<BacktestReport, 'tradingChanges' | 'endings'> {
  const isConfigured = inputs.some(({ risk, strategyRisk }) => (risk ?? strategyRisk) !== undefined)
  return isConfigured || tradingChanges.length > 0 ? { tradingChanges, endings } : { endings }
}
