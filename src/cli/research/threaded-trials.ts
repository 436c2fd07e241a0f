import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { OnTrial, ParameterSet, Trial, TrialRunner } from '../../../backtest/trials/trial.ts'
import { InvariantError, UsageError } from '../../domain/sluice-error.ts'
import type { TimeSpan } from '../../klines/slice-klines.ts'
import { StrategyError } from '../../strategy/strategy-error.ts'
import { SharedPlaces } from './shared-places.ts'
import { runTaken } from './taken-trials.ts'
import type { TrialAnswer, TrialRequest, TrialWorkerData } from './trial-messages.ts'

/** Runs trials on one thread that shares the klines, and leaves this one free. It starts with the first trial. */
export function threadedTrials(data: TrialWorkerData): TrialRunner {
  return new ThreadedTrials(1, data, undefined)
}

/**
 * Runs trials on so many threads, of which this one is the first, with `here`, and the others share the klines. Trials do not depend on
 * each other, so that the number of threads changes no result. A thread starts with the first trial that it is needed for.
 */
export function parallelTrials(jobs: number, here: TrialRunner, data: TrialWorkerData): TrialRunner {
  return new ThreadedTrials(jobs, data, here)
}

class ThreadedTrials implements TrialRunner {
  readonly #jobs: number
  readonly #data: TrialWorkerData
  readonly #here: TrialRunner | undefined
  readonly #threads: TrialThread[] = []

  constructor(jobs: number, data: TrialWorkerData, here: TrialRunner | undefined) {
    this.#jobs = jobs
    this.#data = data
    this.#here = here
  }

  async run(
    sets: readonly ParameterSet[],
    span?: TimeSpan,
    onTrial: OnTrial = () => {},
  ): Promise<readonly Trial[]> {
    const here = this.#here
    const trials: Trial[] = new Array(sets.length)
    const tell: OnTrial = (trial, index) => {
      trials[index] = trial
      onTrial(trial, index)
    }
    const needed = Math.min(this.#jobs, sets.length)
    const places = new SharedPlaces(sets.length, needed)
    const threads = this.#started(here === undefined ? needed : needed - 1)
    const others = threads.map(thread => thread.run({ sets, span, threads: needed, next: places.next }, tell))
    if (here !== undefined) others.push(runTaken(here, sets, span, places, tell))
    await Promise.all(others)
    return trials
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map(thread => thread.end()))
  }

  #started(count: number): readonly TrialThread[] {
    while (this.#threads.length < count) this.#threads.push(new TrialThread(this.#data))
    return this.#threads.slice(0, count)
  }
}

/** One thread; it takes one request at a time. */
class TrialThread {
  readonly #worker: Worker

  constructor(data: TrialWorkerData) {
    this.#worker = new Worker(new URL('./trial-worker.ts', import.meta.url), { workerData: data })
  }

  /** Resolves once all sets that it took were played; rejects with `UsageError`, `StrategyError`, or the error that ended the thread. */
  async run(request: TrialRequest, onTrial: OnTrial): Promise<void> {
    const answers = on(this.#worker, 'message', { close: ['exit'] }) // ends with an error of the thread
    this.#worker.postMessage(request)
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
