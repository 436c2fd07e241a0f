import { Worker } from 'node:worker_threads'
import { BehaviorSubject, type Observable } from 'rxjs'
import type { ComparisonUpdate, ComparisonWorkerData } from './comparison-messages.ts'

/** Most memory that the thread may take, MB. */
const MOST_MEMORY_MB = 512

/**
 * Compares a running bot with its backtest, again and again, in a thread that only reads the journal. Whatever becomes of
 * the thread, the bot trades on.
 */
export class RunningComparison {
  readonly #updates$ = new BehaviorSubject<ComparisonUpdate>({ type: 'waiting' })
  readonly #worker: Worker

  constructor(data: ComparisonWorkerData) {
    this.#worker = new Worker(new URL('./comparison-worker.ts', import.meta.url), {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
    })
    this.#worker.unref()
    this.#worker.on('message', (update: ComparisonUpdate) => this.#updates$.next(update))
    this.#worker.on('error', error =>
      this.#updates$.next({ type: 'failed', reason: error instanceof Error ? error.message : String(error) }),
    )
  }

  /** Results as they come, the latest at once. */
  get updates$(): Observable<ComparisonUpdate> {
    return this.#updates$
  }

  /** The latest result. */
  get latest(): ComparisonUpdate {
    return this.#updates$.value
  }

  async close(): Promise<void> {
    this.#updates$.complete()
    await this.#worker.terminate()
  }
}
