import type { BacktestOptions } from '../run/backtest-options.ts'
import type { ParameterSet, Trial, TrialRunner } from '../trials/trial.ts'
import type { StressScenario } from './stress-scenarios.ts'

/** Outcome of one scenario. */
export interface StressRow {
  readonly key: string
  readonly title: string
  readonly trial: Trial
}

/** Plays the judged parameters in every scenario, each by a runner of its own. */
export async function stressTest(
  scenarios: readonly StressScenario[],
  judged: ParameterSet,
  runnerOf: (backtest: BacktestOptions) => TrialRunner,
): Promise<StressRow[]> {
  const rows: StressRow[] = []
  for (const { key, title, backtest, parameters, span, remark } of scenarios) {
    const runner = runnerOf(backtest)
    try {
      const [trial] = await runner.run([parameters ?? judged], span)
      if (trial !== undefined) rows.push({ key, title: `${title}${remark?.() ?? ''}`, trial })
    } finally {
      await runner.close()
    }
  }
  return rows
}
