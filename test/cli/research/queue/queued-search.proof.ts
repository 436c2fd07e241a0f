import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { StudyBoard } from '../../../../src/cli/research/queue/study-board.ts'
import { SluiceProcess } from '../../../e2e/sluice-process.ts'
import { waveCsv } from '../../klines.ts'
import { startSluice } from '../../sluice-process.ts'
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
import { clientOf, worker } from './search-workers.ts'

let redis: RedisServer

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

/** Resolves once a search is announced. */
async function announced(): Promise<void> {
  const board = new StudyBoard(clientOf(redis))
  while ((await board.studies()).length === 0) await setTimeout(5)
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

    it('is let in by a Redis that asks for a password, though secrets are gone once its strategy is loaded', async () => {
      const guarded = await RedisServer.started('a password')
      onTestFinished(() => guarded.remove())
      const environment = { SLUICE_REDIS_PASSWORD: 'a password' }
      const world = studied(1500)
      const helper = new SluiceProcess(
        ['src/main.js', 'worker', '--queue', guarded.url, '--jobs', '1'],
        environment,
      )
      const search = new SluiceProcess(
        ['src/main.js', 'optimize', SMA, ...world.inputs, ...SEARCH, '--queue', guarded.url],
        environment,
      )
      expect([await search.exitCode, withoutProgress(search.err)]).toEqual([0, ''])
      await helper.line('Takes part in a search of sma-cross')
      expect(trialsIn(world.study)).toHaveLength(60)
    })

    it('gives the bytes of one process, with workers that are killed and a Redis that forgets everything', async () => {
      const { world, out, content } = await alone()
      const [first] = [worker(redis), worker(redis)]
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
      worker(redis)
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
      worker(redis)
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
      const { errors, child } = worker(redis)
      const sentence =
        /^The worker \S+ takes no part in the search of sma-cross on BTC\/USDT 1h: its klines \(or funding rates\) differ\. Copy the kline store/m
      const told = once(child.stderr, 'data')
      // A worker that takes long to start is missed first.
      for (let said = ''; !sentence.test(said); said = `${await once(search.stderr, 'data')}`);
      await told
      child.kill('SIGTERM')
      expect(await errors).toMatch(sentence)
      writeFileSync(world.csv, waveCsv(4000))
      worker(redis)
      expect(await whole).toMatchObject({ exitCode: 0, out })
    })

    it('has workers that say nothing while Redis is away, during a search and after it', async () => {
      // A worker of a test before has refused the same search on this board.
      await redis.kill()
      await redis.start()
      const { world, out } = await alone()
      const { child, errors } = worker(redis)
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
  },
)
