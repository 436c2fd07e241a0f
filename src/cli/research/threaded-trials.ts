import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { OnTrial, ParameterSet, Trial, TrialRunner } from '../../../backtest/trials/trial.ts'
import { InvariantError, UsageError } from '../../domain/sluice-error.ts'
import type { TimeSpan } from '../../klines/slice-klines.ts'
import { StrategyError } from '../../strategy/strategy-error.ts'
import { setsAtOnce } from './sets-at-once.ts'
import type { TrialAnswer, TrialRequest, TrialWorkerData } from './trial-messages.ts'

/**
 * Runs trials on so many threads, which share the klines. Trials do not depend on each other, so that the number of threads
 * changes no result. A thread starts with the first trial that it is needed for.
 */
export function threadedTrials(jobs: number, data: TrialWorkerData): TrialRunner {
  const threads: TrialThread[] = []
  return {
    async run(sets, span, onTrial = () => {}) {
      const trials: Trial[] = new Array(sets.length)
      const size = setsAtOnce(sets.length, jobs)
      const needed = Math.min(jobs, Math.ceil(sets.length / size))
      while (threads.length < needed) threads.push(new TrialThread(data))
      let next = 0
      const work = async (thread: TrialThread) => {
        while (next < sets.length) {
          const first = next
          next += size
          await thread.run(sets.slice(first, first + size), span, (trial, index) => {
            trials[first + index] = trial
            onTrial(trial, first + index)
          })
        }
      }
      await Promise.all(threads.slice(0, needed).map(work))
      return trials
    },
    async close() {
      await Promise.all(threads.map(thread => thread.end()))
    },
  }
}

/** One thread; it takes one request at a time. */
class TrialThread {
  readonly #worker: Worker

  constructor(data: TrialWorkerData) {
    this.#worker = new Worker(new URL('./trial-worker.ts', import.meta.url), { workerData: data })
  }

  /** Resolves once all sets were played; rejects with `UsageError`, `StrategyError`, or the error that ended the thread. */
  async run(sets: readonly ParameterSet[], span: TimeSpan | undefined, onTrial: OnTrial): Promise<void> {
    const answers = on(this.#worker, 'message', { close: ['exit'] }) // ends with an error of the thread
    this.#worker.postMessage({ sets, span } satisfies TrialRequest)
    for await (const [answer] of answers as AsyncIterable<[TrialAnswer]>) {
      if (answer.type === 'done') return
      if (answer.type === 'trial') onTrial(answer.trial, answer.index)
      else throw answer.isUsage ? new UsageError(answer.message) : new StrategyError(answer.message)
    }
    throw new InvariantError('A thread of trials ended before its trials did.')
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}
