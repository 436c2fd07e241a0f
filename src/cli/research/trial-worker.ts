import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { TrialRunner } from '../../../backtest/trials/trial.ts'
import { loadStrategy } from '../../bot/start/load-strategy.ts'
import { SluiceError, UsageError } from '../../domain/sluice-error.ts'
import { isFailureOfStrategy } from '../../sandbox/strategy-scope.ts'
import { processTrials } from './process-trials.ts'
import { SharedPlaces } from './shared-places.ts'
import { runTaken } from './taken-trials.ts'
import type { TrialAnswer, TrialRequest, TrialWorkerData } from './trial-messages.ts'

// A thread of `threadedTrials`. As in src/main.ts: a promise that a strategy left behind fails that strategy.
process.on('unhandledRejection', cause => {
  if (!isFailureOfStrategy(cause)) throw cause
})

const port = parentPort as MessagePort // this is a thread
const runner = startedRunner(workerData as TrialWorkerData) // as its starter says
port.on('message', async (request: TrialRequest) => {
  port.postMessage(await answered(await runner, request))
})

async function startedRunner({ strategy, backtest, riskFreeRate }: TrialWorkerData): Promise<TrialRunner> {
  return processTrials({ backtest: { ...backtest, strategy: await loadStrategy(strategy) }, riskFreeRate })
}

async function answered(
  trials: TrialRunner,
  { sets, span, threads, next }: TrialRequest,
): Promise<TrialAnswer> {
  try {
    await runTaken(trials, sets, span, new SharedPlaces(sets.length, threads, next), (trial, index) =>
      port.postMessage({ type: 'trial', trial, index } satisfies TrialAnswer),
    )
    return { type: 'done' }
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    return { type: 'failed', isUsage: error instanceof UsageError, message: error.message }
  }
}
