import { type Job, Queue, QueueEvents } from 'bullmq'
import type { Redis } from 'ioredis'
import type { OnTrial, ParameterSet, Trial, TrialRunner } from '../../../../backtest/trials/trial.ts'
import { SluiceError } from '../../../domain/sluice-error.ts'
import type { TimeSpan } from '../../../klines/slice-klines.ts'
import type { RedisAccess } from '../../redis-access.ts'
import type { OutputStreams } from '../../streams.ts'
import { setsAtOnce } from '../sets-at-once.ts'
import { type QueuedStudy, queueNameOf } from './queued-study.ts'
import { connectedRedis } from './redis-connection.ts'
import { StudyBoard } from './study-board.ts'
import { answerOf, jobIdOf, type TrialJob, trialsOfAnswer } from './trial-job.ts'

/** Pause between two looks for answers that no event told, and between two announcements of the search, ms. */
const LOOK_MS = 1000
/** Time without Redis after which the trials run here, ms. */
const PATIENCE_MS = 15_000
/** Time without a worker after which that is said, ms. */
const LONELY_MS = 5000
/** Runs of a job that ended with an error of its worker's machine. */
const ATTEMPTS = 3

/** Workers that share the trials of a search by way of Redis. */
export interface QueuedTrialsOptions {
  readonly access: RedisAccess
  readonly study: QueuedStudy
  /** Makes a runner for the trials that are left where Redis stays away. */
  readonly here: () => TrialRunner
  readonly err: OutputStreams['err']
  /** Time without Redis after which they run here, ms; default: 15 s. */
  readonly patienceMs?: number
}

/** Connects to Redis; rejects with `UsageError` where nothing answers there. */
export async function queuedTrials(options: QueuedTrialsOptions): Promise<TrialRunner> {
  return new QueuedTrials(options, await connectedRedis(options.access))
}

/**
 * Runs trials on workers (`npm run worker`). Redis only carries them: a job that it lost is sent again, one whose worker died is
 * given to another one, and where Redis stays away the rest runs here. Each trial is told once.
 */
class QueuedTrials implements TrialRunner {
  readonly #options: QueuedTrialsOptions
  readonly #redis: Redis
  /** The connection of events, which BullMQ leaves open. */
  readonly #eventRedis: Redis
  readonly #patienceMs: number
  readonly #board: StudyBoard
  readonly #queue: Queue
  readonly #events: QueueEvents
  readonly #said = new Set<string>()
  #here: TrialRunner | undefined
  #wake = () => {}
  #lastAnswerAt = performance.now()
  #seenWorkersAt = performance.now()
  #nextMindingAt = 0

  constructor(options: QueuedTrialsOptions, redis: Redis) {
    const { study } = options
    this.#options = options
    this.#redis = redis
    this.#eventRedis = redis.duplicate()
    this.#eventRedis.on('error', () => {})
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS
    this.#board = new StudyBoard(redis)
    this.#queue = new Queue(queueNameOf(study.id), { connection: redis })
    this.#events = new QueueEvents(queueNameOf(study.id), { connection: this.#eventRedis })
    // Every look notices an error by itself.
    this.#queue.on('error', () => {})
    this.#events.on('error', () => {})
    this.#events.on('completed', () => this.#wake())
  }

  async run(
    sets: readonly ParameterSet[],
    span?: TimeSpan,
    onTrial: OnTrial = () => {},
  ): Promise<readonly Trial[]> {
    const trials: Trial[] = new Array(sets.length)
    const open = new Map<string, TrialJob>()
    const workers = Math.max(2, (await this.#asked(() => this.#queue.getWorkersCount())) ?? 0)
    for (let first = 0; first < sets.length; ) {
      const end = first + setsAtOnce(sets.length - first, workers)
      const job = { sets: sets.slice(first, end), span, first }
      open.set(jobIdOf(job), job)
      first = end
    }
    const tell = (job: TrialJob, found: readonly Trial[]) =>
      found.forEach((trial, at) => {
        trials[job.first + at] = trial
        onTrial(trial, job.first + at)
      })
    while (open.size > 0) {
      const woken = this.#nextWake()
      if (!(await this.#look(open, tell))) {
        await this.#runHere(open, tell)
        break
      }
      if (open.size > 0) await woken
    }
    return trials
  }

  async close(): Promise<void> {
    await this.#here?.close()
    await this.#asked(() => this.#board.withdraw(this.#options.study))
    await this.#asked(() => this.#queue.obliterate({ force: true }))
    this.#redis.disconnect()
    this.#eventRedis.disconnect()
    const closed = Promise.allSettled([this.#queue.close(), this.#events.close(), this.#events.disconnect()])
    // Without Redis BullMQ may wait for ever, and the command would end without its result.
    await inTime(closed).catch(() => {})
  }

  /** Resolves with the next event, or after a while. */
  #nextWake(): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, LOOK_MS)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Takes what is finished, and sends what Redis does not have; false once Redis has been away for too long. */
  async #look(
    open: Map<string, TrialJob>,
    tell: (job: TrialJob, trials: readonly Trial[]) => void,
  ): Promise<boolean> {
    const ids = [...open.keys()]
    const jobs = await this.#asked(() =>
      Promise.all(ids.map(id => this.#queue.getJob(id) as Promise<Job<TrialJob, string> | undefined>)),
    )
    if (jobs === undefined) return performance.now() - this.#lastAnswerAt < this.#patienceMs
    const missing: TrialJob[] = []
    for (const [at, id] of ids.entries()) {
      const asked = open.get(id) as TrialJob // nothing else removes one
      const job = jobs[at]
      if (job === undefined) missing.push(asked)
      else if (job.finishedOn !== undefined) {
        tell(asked, trialsOfAnswer(answerOf(job)))
        open.delete(id)
        await this.#asked(() => job.remove())
      }
    }
    await this.#asked(() => this.#send(missing))
    if (performance.now() >= this.#nextMindingAt) await this.#asked(() => this.#mindWorkers())
    return true
  }

  async #send(jobs: readonly TrialJob[]): Promise<void> {
    await this.#queue.addBulk(
      jobs.map(data => ({ name: 'trials', data, opts: { jobId: jobIdOf(data), attempts: ATTEMPTS } })),
    )
  }

  /** Asks for workers; says once that none is there, and why those that are do not take part. */
  async #mindWorkers(): Promise<void> {
    this.#nextMindingAt = performance.now() + LOOK_MS
    await this.#board.announce(this.#options.study)
    for (const sentence of await this.#board.refusalsOf(this.#options.study)) this.#say(sentence)
    const now = performance.now()
    if ((await this.#queue.getWorkersCount()) > 0) this.#seenWorkersAt = now
    if (now - this.#seenWorkersAt < LONELY_MS) return
    this.#say(
      `No worker takes part; start one on any machine that has this code and these klines: npm run worker -- --queue ${this.#options.access.url}`,
    )
  }

  async #runHere(
    open: ReadonlyMap<string, TrialJob>,
    tell: (job: TrialJob, trials: readonly Trial[]) => void,
  ): Promise<void> {
    this.#say(
      `Redis at ${this.#options.access.url} has been away for ${this.#patienceMs / 1000} s, so the trials run here.`,
    )
    this.#here ??= this.#options.here()
    for (const job of open.values()) tell(job, await this.#here.run(job.sets, job.span))
  }

  /** An answer of Redis; `undefined` where it is away. */
  async #asked<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
    if (this.#redis.status !== 'ready') return undefined
    try {
      const answer = await inTime(ask())
      this.#lastAnswerAt = performance.now()
      return answer
    } catch (error) {
      if (error instanceof SluiceError) throw error
      return undefined
    }
  }

  #say(sentence: string): void {
    if (this.#said.has(sentence)) return
    this.#said.add(sentence)
    this.#options.err.write(`${sentence}\n`)
  }
}

/** The answer, unless Redis goes away meanwhile: then ioredis waits for it to come back. */
function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('Redis does not answer.')), LOOK_MS * 5)
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer))
}
