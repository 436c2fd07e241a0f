import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { BacktestCommandOptions } from '../../../../src/cli/backtest/backtest-command-options.ts'
import { readTrialInput } from '../../../../src/cli/backtest/backtest-input.ts'
import { RedisAccess } from '../../../../src/cli/redis-access.ts'
import { identifiedBacktest } from '../../../../src/cli/research/identified-backtest.ts'
import { processTrials } from '../../../../src/cli/research/process-trials.ts'
import { queuedStudy } from '../../../../src/cli/research/queue/queued-study.ts'
import { queuedTrials } from '../../../../src/cli/research/queue/queued-trials.ts'
import { StudyBoard } from '../../../../src/cli/research/queue/study-board.ts'
import { identityOf } from '../../../../src/cli/research/trial-identity.ts'
import { sluiceHere } from '../../backtest/in-process.ts'
import { SEARCHED_STRATEGY as SMA, studied } from '../studied.ts'
import { hasRedis, RedisServer } from './redis-server.ts'
import { clientOf, worker } from './search-workers.ts'

let redis: RedisServer

describe.skipIf(!hasRedis())(
  'a search on workers (apt-get install redis-server)',
  { timeout: 120_000 },
  () => {
    beforeAll(async () => {
      redis = await RedisServer.started()
    })
    afterAll(() => redis.remove())

    it('is refused by a worker with other code, which does not load a file from outside the project either', async () => {
      const { identity, options } = await smallStudy()
      const board = new StudyBoard(clientOf(redis))
      await board.announce({ id: 'a', identity: { ...identity, code: 'other' }, options })
      await board.announce({ id: 'b', identity, options: { ...options, strategy: '../elsewhere.ts' } })
      const { errors, child } = worker(redis)
      const refusals = await both(() => Promise.all(['a', 'b'].map(id => board.refusalsOf({ id }))))
      child.kill('SIGTERM')
      expect(refusals[0]?.[0]).toMatch(
        /: its code of Sluice or of strategies\/sma-cross\.ts differs\. Bring both machines to/,
      )
      expect(refusals[1]?.[0]).toMatch(/: \.\.\/elsewhere\.ts is not in the folder of the project/)
      expect((await errors).split('\n')).toHaveLength(3)
    })

    it('runs where it was asked for once Redis stays away, each trial once', async () => {
      const away = await RedisServer.started()
      onTestFinished(() => away.remove())
      const { input, options, study } = await smallStudy()
      let written = ''
      const here = () => processTrials({ backtest: input, riskFreeRate: 0 })
      const runner = await queuedTrials({
        ...{ access: new RedisAccess(away.url, {}), study, here, patienceMs: 300 },
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
      worker(redis)
      const here = processTrials({ backtest: input, riskFreeRate: 0 })
      const runner = await queuedTrials({
        ...{ access: new RedisAccess(redis.url, {}), study, here: () => here, err: process.stderr },
      })
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
    const { exitCode, err } = await sluiceHere('worker', '--queue', url)
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

/** Asks until each of two lists has something. */
async function both(ask: () => Promise<readonly (readonly string[])[]>) {
  for (;;) {
    const found = await ask()
    if (found.every(list => list.length > 0)) return found
    await setTimeout(10)
  }
}
