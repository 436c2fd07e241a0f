import { availableParallelism, hostname } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { codeHash } from '../../../../backtest/manifest/code-hash.ts'
import { strategyFiles } from '../../../../backtest/manifest/strategy-files.ts'
import { UsageError } from '../../../domain/sluice-error.ts'
import { type BacktestInput, readTrialInput } from '../../backtest/backtest-input.ts'
import { SharedSources } from '../../backtest/input/cached-sources.ts'
import { PROJECT_FOLDER } from '../../project.ts'
import type { RedisAccess } from '../../redis-access.ts'
import type { OutputStreams } from '../../streams.ts'
import { identifiedBacktest } from '../identified-backtest.ts'
import { identityOf } from '../trial-identity.ts'
import { workerDataOf } from '../trial-runner.ts'
import type { QueuedStudy } from './queued-study.ts'
import { connectedRedis } from './redis-connection.ts'
import { StudyBoard } from './study-board.ts'
import { TrialWorkers } from './trial-workers.ts'

/** Pause between two looks for studies, ms. */
const LOOK_MS = 500

/** The options of `npm run worker`. */
export interface WorkerOptions {
  readonly queue: RedisAccess
  /** Threads; default: one for each processor. */
  readonly jobs?: number | undefined
}

/** Runs the trials of others until it is ended; resolves to exit code 0, rejects with `UsageError`. */
export async function workerCommand(
  { queue, jobs: threads = availableParallelism() }: WorkerOptions,
  { out, err }: Pick<OutputStreams, 'out' | 'err'>,
): Promise<number> {
  const redis = await connectedRedis(queue)
  const ending = new AbortController()
  const end = () => ending.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  out.write(
    `Waiting for trials at ${queue.url}, with ${threads} ${threads === 1 ? 'thread' : 'threads'}. Ctrl-C ends.\n`,
  )
  const helper = new Helper(redis, threads, { out, err })
  while (!ending.signal.aborted) {
    await helper.look()
    await pause(LOOK_MS, undefined, { signal: ending.signal }).catch(() => {})
  }
  await helper.close()
  redis.disconnect()
  return 0
}

/** Follows the board: takes part in the studies that this machine has the code and the data of. */
class Helper {
  readonly #redis: Redis
  readonly #board: StudyBoard
  readonly #threads: number
  readonly #streams: Pick<OutputStreams, 'out' | 'err'>
  readonly #name = `${hostname()}-${process.pid}`
  /** Studies on the board, with the sentence why one is refused. */
  readonly #known = new Map<string, TrialWorkers | string>()

  constructor(redis: Redis, threads: number, streams: Pick<OutputStreams, 'out' | 'err'>) {
    this.#redis = redis
    this.#board = new StudyBoard(redis)
    this.#threads = threads
    this.#streams = streams
  }

  async look(): Promise<void> {
    if (this.#redis.status !== 'ready') return
    const studies = await this.#board.studies().catch(() => undefined)
    if (studies === undefined) return
    for (const study of studies) {
      if (!this.#known.has(study.id)) this.#known.set(study.id, await this.#joined(study))
      const known = this.#known.get(study.id)
      if (typeof known === 'string') await this.#board.refuse(study, this.#name, known)
    }
    await this.#leaveAllBut(new Set(studies.map(({ id }) => id)))
  }

  async close(): Promise<void> {
    await this.#leaveAllBut(new Set())
  }

  async #joined(study: QueuedStudy): Promise<TrialWorkers | string> {
    const { strategy, symbol, interval } = study.identity
    try {
      const input = await sameInput(study)
      this.#streams.out.write(`Takes part in a search of ${strategy} on ${symbol} ${interval}.\n`)
      return new TrialWorkers(this.#redis, study.id, workerDataOf(study.options, input), this.#threads)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      const sentence = `The worker ${this.#name} takes no part in the search of ${strategy} on ${symbol} ${interval}: ${error.message}`
      this.#streams.err.write(`${sentence}\n`)
      return sentence
    }
  }

  async #leaveAllBut(studies: ReadonlySet<string>): Promise<void> {
    for (const [id, known] of this.#known) {
      if (studies.has(id)) continue
      this.#known.delete(id)
      if (typeof known !== 'string') await known.close()
    }
  }
}

/** The backtest of a study; rejects with `UsageError` unless this machine has its code, data and settings. The code is compared before any of it is loaded. */
async function sameInput({ identity, options }: QueuedStudy): Promise<BacktestInput> {
  const file = strategyPath(options.strategy)
  if (codeHash(PROJECT_FOLDER, file, strategyFiles(file, PROJECT_FOLDER)) !== identity.code)
    throw new UsageError(
      `its code of Sluice or of ${options.strategy} differs. Bring both machines to the same files.`,
    )
  const input = await readTrialInput({ ...options, sources: new SharedSources() })
  const own = identityOf(identifiedBacktest(options, input))
  if (own.data !== identity.data)
    throw new UsageError(
      'its klines (or funding rates) differ. Copy the kline store, or the files that --data names, from the machine that asks.',
    )
  if (own.config !== identity.config) throw new UsageError('its settings of the backtest differ.')
  return input
}

/** The path of a strategy of this project; throws `UsageError` for one outside, which a stranger could have named. */
function strategyPath(strategy: string): string {
  const path = resolve(PROJECT_FOLDER, strategy)
  if (path.startsWith(PROJECT_FOLDER)) return path
  throw new UsageError(`${strategy} is not in the folder of the project, where workers look for strategies.`)
}
