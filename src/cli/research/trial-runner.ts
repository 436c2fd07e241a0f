import { availableParallelism } from 'node:os'
import type { TrialRunner } from '../../../backtest/trials/trial.ts'
import type { TrialIdentity } from '../../studies/study-trial.ts'
import type { BacktestCommandOptions } from '../backtest/backtest-command-options.ts'
import type { BacktestInput } from '../backtest/backtest-input.ts'
import type { OutputStreams } from '../streams.ts'
import { processTrials } from './process-trials.ts'
import type { SearchRequest } from './search-request.ts'
import { parallelTrials } from './threaded-trials.ts'
import type { TrialWorkerData } from './trial-messages.ts'

/** A backtest whose trials are run. */
export interface RunBacktest {
  readonly options: BacktestCommandOptions
  /** Read from `SharedSources`. */
  readonly input: BacktestInput
  readonly identity: TrialIdentity
}

/** Runs trials in this process, on threads, or on the workers of a Redis, as a request says; rejects with `UsageError` where none answers. */
export async function trialRunner(
  { jobs, queue: access }: Pick<SearchRequest, 'jobs' | 'queue'>,
  run: RunBacktest,
  err: OutputStreams['err'],
): Promise<TrialRunner> {
  const here = () => runnerHere(jobs, run)
  if (access === undefined) return here()
  const [{ queuedTrials }, { queuedStudy }] = await Promise.all([
    import('./queue/queued-trials.ts'),
    import('./queue/queued-study.ts'),
  ])
  return queuedTrials({ access, study: queuedStudy(run.options, run.input, run.identity), here, err })
}

function runnerHere(jobs = availableParallelism(), { options, input }: RunBacktest): TrialRunner {
  const here = processTrials({ backtest: input, riskFreeRate: input.config.riskFreeRate })
  return jobs === 1 ? here : parallelTrials(jobs, here, workerDataOf(options, input))
}

/** Data with which a thread runs trials of a backtest, whose strategy it loads itself. */
export function workerDataOf(
  { strategy }: Pick<BacktestCommandOptions, 'strategy'>,
  { strategy: _, ...backtest }: BacktestInput,
): TrialWorkerData {
  return { strategy, backtest, riskFreeRate: backtest.config.riskFreeRate }
}

/** Makes runners that start with their first trial, and of which only the one that was asked last keeps its threads. */
export class RunnersInTurn {
  #running: { readonly owner: object; readonly runner: TrialRunner } | undefined

  /** A runner that `start` makes whenever it is asked after another one. */
  runner(start: () => Promise<TrialRunner>): TrialRunner {
    const owner = {}
    return {
      run: async (...asked) => {
        if (this.#running?.owner !== owner) {
          await this.close()
          this.#running = { owner, runner: await start() }
        }
        return this.#running.runner.run(...asked)
      },
      close: async () => {
        if (this.#running?.owner === owner) await this.close()
      },
    }
  }

  async close(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    await running?.runner.close()
  }
}
