import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { BacktestCommandOptions } from '../../../../src/cli/backtest/backtest-command-options.ts'
import { readTrialInput } from '../../../../src/cli/backtest/backtest-input.ts'
import { identifiedBacktest } from '../../../../src/cli/research/identified-backtest.ts'
import { processTrials } from '../../../../src/cli/research/process-trials.ts'
import { queuedStudy } from '../../../../src/cli/research/queue/queued-study.ts'
import { queuedTrials } from '../../../../src/cli/research/queue/queued-trials.ts'
import { StudyBoard } from '../../../../src/cli/research/queue/study-board.ts'
import { identityOf } from '../../../../src/cli/research/trial-identity.ts'
import { waveCsv } from '../../klines.ts'
import { sluice, startSluice } from '../../sluice-process.ts'
import { withoutProgress } from '../../without-progress.ts'
import {
  apart,
  contentOf,
  SEARCH,
  SEARCHED_STRATEGY as SMA,
  type Studied,
  studied,
  trialsIn,
  withoutStudyNames,
} from '../studied.ts'
import { hasRedis, RedisServer } from './redis-server.ts'

let redis: RedisServer

/** A worker with one thread, ended with the test. */
function worker() {
  const child = startSluice('worker', '--queue', redis.url, '--jobs', '1')
  const errors = text(child.stderr)
  onTestFinished(async () => {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
    child.kill('SIGKILL')
    await ended
  })
  return { child, errors }
}

function searching({ inputs }: Studied, ...options: readonly string[]) {
  return startSluice('optimize', SMA, ...inputs, '--json', '-', ...options)
}

async function ended(child: ReturnType<typeof startSluice>) {
  const [out, err, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { exitCode, out: withoutStudyNames(out), err: withoutProgress(err) }
}

/** Resolves once so many trials were kept. */
async function kept({ study }: Studied, least: number): Promise<void> {
  while (trialsIn(study).length < least) await setTimeout(5)
}

describe.skipIf(!hasRedis())(
  'a search on workers (apt-get install redis-server)',
  { timeout: 120_000 },
  () => {
    beforeAll(async () => {
      redis = await RedisServer.started()
    })
    afterAll(() => redis.remove())

    /** A world, and what a search in one process makes of it. */
    async function alone() {
      const world = studied(4000)
      const one = apart(world, 'alone')
      const { exitCode, out } = await ended(searching(one, ...SEARCH, '--jobs', '1'))
      expect({ exitCode, trials: JSON.parse(out).trials.length }).toEqual({ exitCode: 0, trials: 60 })
      return { world, out, content: contentOf(one) }
    }

    it('gives the bytes of one process, with workers that are killed and a Redis that forgets everything', async () => {
      const { world, out, content } = await alone()
      const [first] = [worker(), worker()]
      const untouched = apart(world, 'untouched')
      expect(await ended(searching(untouched, ...SEARCH, '--queue', redis.url))).toEqual({
        exitCode: 0,
        out,
        err: '',
      })
      expect(contentOf(untouched)).toEqual(content)

      const search = searching(world, ...SEARCH, '--queue', redis.url)
      const whole = ended(search)
      await kept(world, 5)
      first.child.kill('SIGKILL')
      await kept(world, 25)
      await redis.kill()
      await redis.start()
      expect(await whole).toEqual({ exitCode: 0, out, err: '' })
      expect(contentOf(world)).toEqual(content)
    })

    it('carries the searches of a verdict, those of its walk-forward among them, to the bytes of one process', async () => {
      const world = studied(2400)
      const grid = ['--sampler', 'grid', '--param', 'fast=2:8:3', '--param', 'slow=12:24:6', '--json', '-']
      worker()
      const run = (name: string, ...by: readonly string[]) => {
        const own = apart(world, name)
        const child = startSluice('validate', SMA, ...own.inputs, ...grid, '--windows', '3', ...by)
        return { own, end: ended(child) }
      }
      const one = run('one')
      const expected = await one.end
      expect(JSON.parse(expected.out).criteria).toHaveLength(12)
      const queued = run('queued', '--queue', redis.url)
      expect(await queued.end).toEqual(expected)
      expect(contentOf(queued.own)).toEqual(contentOf(one.own))
    })

    it('that is killed goes on with the same command', async () => {
      const { world, out, content } = await alone()
      worker()
      const killed = searching(world, ...SEARCH, '--queue', redis.url)
      const end = once(killed, 'exit')
      await kept(world, 20)
      killed.kill('SIGKILL')
      await end
      expect(await ended(searching(world, ...SEARCH, '--queue', redis.url))).toEqual({
        exitCode: 0,
        out,
        err: '',
      })
      expect(contentOf(world)).toEqual(content)
    })

    it('waits for a worker that has its klines, and tells why another one does not help', async () => {
      const { world, out } = await alone()
      const search = searching(world, ...SEARCH, '--queue', redis.url)
      const whole = ended(search)
      await announced()
      writeFileSync(world.csv, waveCsv(4001))
      const { errors, child } = worker()
      const [refusal] = await Promise.all([once(search.stderr, 'data'), once(child.stderr, 'data')])
      child.kill('SIGTERM')
      const sentence =
        /^The worker \S+ takes no part in the search of sma-cross on BTC\/USDT 1h: its klines \(or funding rates\) differ\. Copy the kline store/
      expect(`${refusal}`).toMatch(sentence)
      expect(await errors).toMatch(sentence)
      writeFileSync(world.csv, waveCsv(4000))
      worker()
      expect(await whole).toMatchObject({ exitCode: 0, out })
    })

    it('is refused by a worker with other code, which does not load a file from outside the project either', async () => {
      const { identity, options } = await smallStudy()
      const board = new StudyBoard(client())
      await board.announce({ id: 'a', identity: { ...identity, code: 'other' }, options })
      await board.announce({ id: 'b', identity, options: { ...options, strategy: '../elsewhere.ts' } })
      const { errors, child } = worker()
      const refusals = await both(() => Promise.all(['a', 'b'].map(id => board.refusalsOf({ id }))))
      child.kill('SIGTERM')
      expect(refusals[0]?.[0]).toMatch(
        /: its code of Sluice or of strategies\/sma-cross\.ts differs\. Bring both machines to/,
      )
      expect(refusals[1]?.[0]).toMatch(/: \.\.\/elsewhere\.ts is not in the folder of the project/)
      expect((await errors).split('\n')).toHaveLength(3)
    })

    it('has workers that say nothing while Redis is away, during a search and after it', async () => {
      // A worker of a test before has refused the same search on this board.
      await redis.kill()
      await redis.start()
      const { world, out } = await alone()
      const { child, errors } = worker()
      const away = async () => {
        await redis.kill()
        await setTimeout(1500) // three attempts to connect
        await redis.start()
      }
      const whole = ended(searching(world, ...SEARCH, '--queue', redis.url))
      await kept(world, 5)
      await away()
      expect(await whole).toEqual({ exitCode: 0, out, err: '' })
      await setTimeout(1500) // three looks for studies: the worker leaves that of the search
      await away()
      child.kill('SIGTERM')
      expect(await errors).toBe('')
    })

    it('runs where it was asked for once Redis stays away, each trial once', async () => {
      const away = await RedisServer.started()
      onTestFinished(() => away.remove())
      const { input, options, study } = await smallStudy()
      let written = ''
      const here = () => processTrials({ backtest: input, riskFreeRate: 0 })
      const runner = await queuedTrials({
        ...{ url: away.url, study, here, patienceMs: 300 },
        err: { write: (sentence: string) => (written += sentence) } as never,
      })
      expect(options.data).toBeDefined()
      await away.kill()
      const sets = Array.from({ length: 40 }, (_, at) => ({ fast: 2 + at, slow: 60 }))
      const told: number[] = []
      const trials = await runner.run(sets, undefined, (_, index) => told.push(index))
      await runner.close()
      expect(trials).toEqual(await here().run(sets))
      expect(told).toEqual(sets.map((_, at) => at))
      expect(written).toBe(`Redis at ${away.url} has been away for 0.3 s, so the trials run here.\n`)
    })

    it('fails as a strategy or a span says, on a worker as here', async () => {
      const { input, study } = await smallStudy()
      worker()
      const here = processTrials({ backtest: input, riskFreeRate: 0 })
      const runner = await queuedTrials({ url: redis.url, study, here: () => here, err: process.stderr })
      onTestFinished(() => runner.close())
      const span = { from: Date.UTC(2030, 0, 1) }
      await expect(runner.run([{ fast: 2 }], span)).rejects.toThrow(
        'No kline opens from 2030-01-01T00:00:00.000Z;',
      )
      const sets = [
        { fast: 2, slow: 5 },
        { fast: 9, slow: 5 },
      ]
      expect(await runner.run(sets)).toEqual(await here.run(sets))
    })
  },
)

describe('an address of Redis', () => {
  it.each([
    [
      'redis://:secret@127.0.0.1:1',
      /^--queue has credentials in the address, .* put them into SLUICE_REDIS_USER and SLUICE_REDIS_PASSWORD\.\n$/,
    ],
    [
      'redis://127.0.0.1:1',
      /^Redis cannot be used at redis:\/\/127\.0\.0\.1:1 \(.*ECONNREFUSED.*\); start one there/,
    ],
    ['127.0.0.1', /Write the address of Redis, such as redis:\/\/127\.0\.0\.1:6379\./],
  ])('%s is refused in a sentence', async (url, sentence) => {
    const { exitCode, err } = await sluice('worker', '--queue', url)
    expect(exitCode).toBe(2)
    expect(err).toMatch(sentence)
    expect(err).not.toContain('secret')
  })
})

/** A search as it is announced, with its input. */
async function smallStudy() {
  const { csv: data } = studied(1500)
  const options: BacktestCommandOptions = {
    ...{ strategy: SMA, data, store: 'data/klines', symbol: 'BTC/USDT', interval: '1h', parameters: {} },
    gaps: 'fail',
    ...{ config: 'config/backtest.yaml', seed: 1 },
  }
  const input = await readTrialInput(options)
  const identity = identityOf(identifiedBacktest(options, input))
  return { input, options, identity, study: queuedStudy(options, input, identity) }
}

function client(): Redis {
  const connection = new Redis(redis.url)
  onTestFinished(() => connection.disconnect())
  return connection
}

/** Resolves once a search is announced. */
async function announced(): Promise<void> {
  const board = new StudyBoard(client())
  while ((await board.studies()).length === 0) await setTimeout(5)
}

/** Asks until each of two lists has something. */
async function both(ask: () => Promise<readonly (readonly string[])[]>) {
  for (;;) {
    const found = await ask()
    if (found.every(list => list.length > 0)) return found
    await setTimeout(10)
  }
}
