import type { BacktestOptions } from '../../../backtest/run/backtest-options.ts'
import { resumableBacktest } from '../../../backtest/run/run-backtest.ts'
import type { SearchOptions } from '../../../backtest/search/search.ts'
import type { StressPlan } from '../../../backtest/stress/stress-scenarios.ts'
import type { TrialRunner } from '../../../backtest/trials/trial.ts'
import {
  type Judgement,
  type JudgeOptions,
  judge,
  type VerdictSettings,
} from '../../../backtest/verdict/judge.ts'
import { inTurns } from '../backtest/in-turns.ts'
import {
  type AskedWindows,
  flatAtEnd,
  type LeastTraining,
  runWalkForward,
  type WalkForwardDone,
} from './walk-forward-run.ts'

/** A verdict that is asked for. */
export interface JudgeRun {
  readonly backtest: BacktestOptions
  /** Makes the runner of a backtest; of the backtest itself, or of the same made flat at its end or worse. */
  readonly runnerOf: (backtest: BacktestOptions) => TrialRunner
  readonly search: Omit<SearchOptions, 'runner' | 'span'>
  /** Runs the search over all klines, in place of a runner of the backtest. */
  readonly runner?: TrialRunner
  /** Runs windows, in place of a runner of the backtest that is made flat at its end. */
  readonly windowRunner?: TrialRunner
  readonly earlier?: JudgeOptions['earlier']
  readonly asked: AskedWindows
  /** Shorter trainings are refused. */
  readonly leastTraining?: LeastTraining
  readonly settings: VerdictSettings
  readonly stress: Omit<StressPlan, 'seed' | 'neighbours'>
  readonly seed: number
  readonly onWindow?: (done: number, windows: number) => void
}

/** A verdict, and the walk-forward with its windows. */
export interface JudgeDone extends Judgement {
  readonly walkForward: WalkForwardDone
}

/** Judges; rejects as `judge` does. */
export async function runJudge(run: JudgeRun): Promise<JudgeDone> {
  const { backtest, runnerOf, search, asked, leastTraining, onWindow } = run
  const runner = run.runner ?? runnerOf(backtest)
  const tests = run.windowRunner ?? runnerOf(flatAtEnd(backtest))
  let walked: WalkForwardDone | undefined
  try {
    const judgement = await judge({
      ...{ backtest, runnerOf, settings: run.settings, stress: run.stress, seed: run.seed },
      search: { ...search, runner },
      earlier: run.earlier ?? (() => []),
      walkForward: async searched => {
        const { onTrial: _, ...inWindows } = search
        const windows = {
          ...{ backtest, runner: tests, search: inWindows, asked },
          ...(leastTraining && { leastTraining }),
          ...(onWindow && { onWindow }),
        }
        walked = await runWalkForward(windows, searched)
        return walked
      },
      play: chosen => inTurns(resumableBacktest(chosen)),
    })
    return { ...judgement, walkForward: walked as WalkForwardDone } // a judgement has one
  } finally {
    if (run.windowRunner === undefined) await tests.close()
    if (run.runner === undefined) await runner.close()
  }
}
