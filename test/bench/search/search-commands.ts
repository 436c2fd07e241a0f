import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { RedisServer } from '../../cli/research/queue/redis-server.ts'
import { type StoredYear, storedYear } from '../klines/stored-year.ts'

const ROOT = fileURLToPath(import.meta.resolve('../../..'))
const CPU_AT_EXIT = import.meta.resolve('../backtests/cpu-at-exit.ts')

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** Words after `node` of an npm script. */
function wordsOf(script: 'optimize' | 'worker'): readonly string[] {
  return scripts[script].replace(/^(exec )?node /, '').split(' ')
}

/** Time of a search on the clock, and CPU time of its process, both in seconds. */
export interface SearchTime {
  readonly wall: number
  readonly cpu: number
}

/** Searches by whole commands over a stored year of minutes, each into a study of its own. */
export class SearchCommands implements AsyncDisposable {
  readonly #year: StoredYear
  readonly #config: string
  readonly #workers: ChildProcess[] = []
  #redis: RedisServer | undefined

  private constructor(year: StoredYear) {
    this.#year = year
    this.#config = join(year.folder, 'backtest.yaml')
    writeFileSync(this.#config, 'account: { balance: { USD: 10000 } }\n')
  }

  static async prepared(): Promise<SearchCommands> {
    return new SearchCommands(await storedYear())
  }

  /** Klines of each trial. */
  get klines(): number {
    return this.#year.klines
  }

  /** Searches a grid of sma-cross, on so many threads of its process or by the workers of the queue. */
  async grid(fast: string, slow: string, on: { readonly jobs: number } | 'queue'): Promise<SearchTime> {
    const study = join(this.#year.folder, 'study.sqlite')
    const time = join(this.#year.folder, 'ms.txt')
    const where = on === 'queue' ? ['--queue', this.#redis?.url ?? ''] : ['--jobs', `${on.jobs}`]
    const data = ['--store', this.#year.folder, '--venue', 'bench', '--symbol', 'BTC/USD', '--interval', '1m']
    const space = ['--sampler', 'grid', '--param', `fast=${fast}`, '--param', `slow=${slow}`]
    const command = [...wordsOf('optimize'), 'strategies/sma-cross.ts', '--config', this.#config]
    const startedAt = performance.now()
    await promisify(execFile)(
      process.execPath,
      ['--import', CPU_AT_EXIT, ...command, ...data, ...space, ...where, '--study', study],
      { cwd: ROOT, env: { ...process.env, CPU_TIME_FILE: time } },
    )
    const wall = (performance.now() - startedAt) / 1000
    for (const end of ['', '-wal', '-shm']) rmSync(study + end, { force: true })
    return { wall, cpu: Number(readFileSync(time, 'utf8')) / 1000 }
  }

  /** Starts a Redis and so many workers of one thread each. */
  async startWorkers(count: number): Promise<void> {
    this.#redis = await RedisServer.started()
    const { url } = this.#redis
    for (let worker = 0; worker < count; worker++)
      this.#workers.push(
        spawn(process.execPath, [...wordsOf('worker'), '--queue', url, '--jobs', '1'], {
          cwd: ROOT,
          stdio: 'ignore',
        }),
      )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const worker of this.#workers) {
      worker.kill('SIGKILL')
      await once(worker, 'exit')
    }
    await this.#redis?.remove()
    this.#year[Symbol.dispose]()
  }
}
