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
  readonly #timer: NodeJS.Timeout
  #worker: Worker | undefined

  /** Starts the thread `everyMs` from now, for the first comparison: a bot that starts needs its processor for itself. */
  constructor(data: ComparisonWorkerData) {
    this.#timer = setTimeout(() => this.#begin(data), data.everyMs).unref()
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
    clearTimeout(this.#timer)
    this.#updates$.complete()
    await this.#worker?.terminate()
  }

  #begin(data: ComparisonWorkerData): void {
    const worker = new Worker(new URL('./comparison-worker.ts', import.meta.url), {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
    })
    worker.unref()
    worker.on('message', (update: ComparisonUpdate) => this.#updates$.next(update))
    worker.on('error', error =>
      this.#updates$.next({ type: 'failed', reason: error instanceof Error ? error.message : String(error) }),
    )
    this.#worker = worker
  }
}
