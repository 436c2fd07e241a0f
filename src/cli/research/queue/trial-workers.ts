import { Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import type { TrialRunner } from '../../../../backtest/trials/trial.ts'
import { threadedTrials } from '../threaded-trials.ts'
import type { TrialWorkerData } from '../trial-messages.ts'
import { queueNameOf } from './queued-study.ts'
import { answeredJob, type TrialJob } from './trial-job.ts'

/** Silence of a worker after which its job is given to another one, and the pause between two looks for that, ms. */
const [LOCK_MS, STALLED_MS] = [5000, 2500]

/** Threads that take the trials of one study, named by its id, from Redis. */
export class TrialWorkers {
  readonly #redis: Redis
  readonly #threads: readonly TrialRunner[]
  /** A connection for each worker, which BullMQ leaves open. */
  readonly #connections: readonly Redis[]
  readonly #workers: readonly Worker[]

  constructor(redis: Redis, study: string, data: TrialWorkerData, threads: number) {
    this.#redis = redis
    this.#threads = Array.from({ length: threads }, () => threadedTrials(data))
    this.#connections = this.#threads.map(() => {
      const connection = redis.duplicate()
      connection.on('error', () => {}) // it connects again by itself
      return connection
    })
    this.#workers = this.#threads.map((thread, place) => {
      const worker = new Worker<TrialJob, string>(
        queueNameOf(study),
        ({ data }) => answeredJob(() => thread.run(data.sets, data.span)),
        {
          connection: this.#connections[place] as Redis, // one for each thread
          lockDuration: LOCK_MS,
          stalledInterval: STALLED_MS,
          maxStalledCount: Number.MAX_SAFE_INTEGER,
        },
      )
      worker.on('error', () => {}) // it connects again by itself
      return worker
    })
  }

  /** Finishes the jobs under way, unless Redis is away: then nobody would learn of them. */
  async close(): Promise<void> {
    const isAway = this.#redis.status !== 'ready'
    await Promise.allSettled(this.#workers.map(worker => worker.close(isAway)))
    for (const connection of this.#connections) connection.disconnect()
    await Promise.all(this.#threads.map(thread => thread.close()))
  }
}
