import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { sluiceHere } from '../backtest/in-process.ts'
import { fileWith, ROOT } from '../sluice-process.ts'
import { contentOf, type Studied, studied, trialsIn } from './studied.ts'

const SMA = 'strategies/sma-cross.ts'
const GRID = ['--sampler', 'grid', '--param', 'fast=2:11:1', '--param', 'slow=12:30:2']

async function optimized({ inputs }: Studied, ...options: readonly string[]) {
  const { exitCode, out, err } = await sluiceHere('optimize', SMA, ...inputs, '--json', '-', ...options)
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
  return JSON.parse(out)
}

/** How many of 100 trials are run again. */
const AGAIN = Math.min(100, 8 * Number(process.env.SLUICE_RUNS ?? 1))

describe('npm run optimize', () => {
  it(`runs trials that backtests run again with the same bytes: ${AGAIN} of ${AGAIN}`, async () => {
    const [searched, typed] = [studied(), studied()]
    const { trials } = await optimized(searched, ...GRID)
    expect(trials).toHaveLength(100)
    const some = trials.filter(
      (_: unknown, at: number) => Math.floor((at * AGAIN) / 100) < Math.floor(((at + 1) * AGAIN) / 100),
    )
    for (const { parameters } of some) {
      const given = Object.entries(parameters).flatMap(([name, value]) => ['--param', `${name}=${value}`])
      const { exitCode } = await sluiceHere('backtest', SMA, ...typed.inputs, ...given)
      expect(exitCode).toBe(0)
    }
    const ofSearch = trialsIn(searched.study)
    expect(ofSearch).toHaveLength(100)
    const again = trialsIn(typed.study)
    expect(again).toHaveLength(AGAIN)
    expect(again).toEqual(ofSearch.filter(({ key }) => again.some(trial => trial.key === key)))
  })

  it('goes on by --resume to as many trials as were asked for, or to another number, as one search', async () => {
    const world = studied()
    const search = ['--sampler', 'random', '--param', 'fast=2:60', '--param', 'slow=61:400']
    const numbers = () => {
      const asked = contentOf(world).flatMap(trial => trial.asked)
      return { searches: new Set(asked.map(one => one.search)).size, trials: asked.length }
    }
    await optimized(world, ...search, '--trials', '7')
    // A file of an earlier version does not say how many were asked for.
    const file = new DatabaseSync(world.study)
    file.exec("UPDATE searches SET definition = json_remove(definition, '$.trials')")
    file.close()
    await optimized(world, ...search, '--trials', '9')
    expect(numbers()).toEqual({ searches: 1, trials: 9 })
    expect((await optimized(world, '--resume')).trials).toHaveLength(9)
    expect((await optimized(world, '--resume', '--trials', '11')).trials).toHaveLength(11)
    expect((await optimized(world, '--resume')).trials).toHaveLength(11)
    expect(numbers()).toEqual({ searches: 1, trials: 11 })
    // Fewer than there are: refused with --resume; the same search anew shows so many, and keeps the others.
    const fewer = await sluiceHere('optimize', SMA, ...world.inputs, '--resume', '--trials', '5')
    expect(fewer).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining(
        'The latest search of sma-cross was asked for 11 trials, and --trials 5 asks for fewer; give --trials 11 or more, or leave it out.',
      ),
    })
    expect((await optimized(world, ...search, '--trials', '5')).trials).toHaveLength(5)
    expect((await optimized(world, '--resume')).trials).toHaveLength(11)
  })

  it('counts a point that was asked for again as one trial', async () => {
    const points = ['--param', 'fast=2:4:1', '--param', 'slow=12:14:1', '--trials', '20', '--jobs', '1']
    const { out } = await sluiceHere('optimize', SMA, ...studied().inputs, ...points)
    const [, trials, again] =
      /^(\d+) trials \((\d+) asked for again, which run once\) by tpe/m.exec(out) ?? []
    expect(Number(trials)).toBeLessThanOrEqual(9)
    expect(Number(trials) + Number(again)).toBe(20)
  })

  it('of a single point is one trial, whatever the sampler, and of several points one search', async () => {
    const world = studied()
    const point = ['--param', 'fast=3', '--param', 'slow=12', '--jobs', '1']
    for (const sampler of ['tpe', 'grid']) {
      const { out } = await sluiceHere('optimize', SMA, ...world.inputs, ...point, '--sampler', sampler)
      expect(out.split('\n')[1]).toBe(`1 trial by ${sampler}, seed 1, for sharpe.`)
    }
    expect(contentOf(world).flatMap(({ asked }) => asked)).toHaveLength(2)
    const two = ['--param', 'fast=2:3:1', '--param', 'slow=14', '--trials', '20', '--jobs', '1']
    await sluiceHere('optimize', SMA, ...world.inputs, ...two)
    const { out } = await sluiceHere('studies', 'show', 'sma-cross', '--study', world.study)
    expect(out.match(/ by (a search|\d+ searches)/g)?.sort()).toEqual([
      ' by 2 searches',
      ' by a search',
      ' by a search',
    ])
  })

  it.each(['optimize', 'walk-forward', 'validate'])(
    'offers one symbol to %s, as it takes one',
    async command => {
      const { out } = await sluiceHere(command, '--help')
      const help = out.replaceAll(/\s+/g, ' ')
      expect(help).toContain('--symbol <symbol> what the klines are of, such as BTC/USDT --interval')
      expect(help).not.toMatch(/of several (symbols|markets)/)
      const ofBacktest = (await sluiceHere('backtest', '--help')).out.replaceAll(/\s+/g, ' ')
      expect(ofBacktest).toContain('such as BTC/USDT, or several: BTC/USDT,ETH/USDT')
      expect(ofBacktest.match(/of several (symbols|markets) one each/g)).toHaveLength(2)
    },
  )

  it('says why no trial has a score', async () => {
    const few = await sluiceHere(
      'optimize',
      SMA,
      ...studied(480).inputs,
      ...GRID,
      '--trials',
      '2',
      '--jobs',
      '1',
    )
    expect(few.out).toContain(
      'No trial has a score, so there is no best one: the objective sharpe needs 30 days, and the klines have 20;',
    )
  })

  it('prints a command that shows the best trial', async () => {
    const world = studied()
    const { best, trials, command } = await optimized(world, ...GRID)
    const [, , , ...words] = command.replace(world.csv, 'CSV').split(' ')
    const { out } = await sluiceHere(
      'backtest',
      ...words.slice(1).map((word: string) => (word === 'CSV' ? world.csv : word)),
      '--json',
      '-',
    )
    const { metrics } = JSON.parse(out)
    const first = trials[best[0].number]
    expect(first.scores[0]).toBe(metrics.sharpe)
    expect(first.scores[0]).toBe(Math.max(...trials.map(({ scores }: { scores: number[] }) => scores[0])))
  })

  it('writes the same where the study has a trial by hand already, with parameters in the order of the strategy', async () => {
    const search = ['--sampler', 'grid', '--param', 'klines=8:16:8', '--param', 'stopLoss=0.02']
    const more = ['--param', 'takeProfit=0.03', '--param', 'direction=long']
    const searched = async ({ inputs }: Studied) =>
      (
        await sluiceHere(
          'optimize',
          'strategies/donchian-breakout.ts',
          ...inputs,
          ...search,
          ...more,
          '--json',
          '-',
        )
      ).out
    const [fresh, typed] = [studied(), studied()]
    const given = [
      '--param',
      'direction=long',
      '--param',
      'klines=16',
      '--param',
      'stopLoss=0.02',
      ...more.slice(0, 2),
    ]
    expect(
      (await sluiceHere('backtest', 'strategies/donchian-breakout.ts', ...typed.inputs, ...given)).exitCode,
    ).toBe(0)
    expect(trialsIn(typed.study)).toHaveLength(1)
    const same = (out: string, { csv, study }: Studied) =>
      out.replaceAll(csv, 'CSV').replaceAll(study, 'STUDY')
    expect(same(await searched(typed), typed)).toBe(same(await searched(fresh), fresh))
    expect(trialsIn(typed.study)).toHaveLength(2)
  })

  it('searches for an objective of a file, and for several at once', async () => {
    const file = fileWith('objective.mjs', 'export default ({ figures }) => -figures.roundTrips\n')
    const own = await optimized(studied(), ...GRID, '--objective', file)
    const scores = own.trials.map(({ scores: [score] }: { scores: number[] }) => score)
    expect(own.trials[own.best[0].number].scores[0]).toBe(Math.max(...scores))
    expect(own.trials.map(({ figures }: { figures: { roundTrips: number } }) => -figures.roundTrips)).toEqual(
      scores,
    )
    const both = await optimized(studied(), ...GRID, '--objective', 'sharpe,return-over-drawdown')
    const front = both.best.map(({ number }: { number: number }) => both.trials[number].scores)
    for (const [sharpe, ratio] of both.trials.map(({ scores: of }: { scores: number[] }) => of))
      expect(
        front.some(([first, second]: number[]) => (first as number) >= sharpe && (second as number) >= ratio),
      ).toBe(true)
  })

  it.each([
    [['--objective', 'sharp'], 'There is no objective "sharp". Did you mean "sharpe"?'],
    [['--objective', 'sharpe,calmar,sharpe'], 'The objective "sharpe" is given twice; give each once.'],
    [['--objective', 'nowhere.ts'], 'The objective nowhere.ts cannot be read; give a file that exists.'],
    [['--resume'], 'has no search of sma-cross on this data to go on with; leave --resume out to begin one.'],
    [['--resume', '--seed', '2'], '--resume takes the search from the study, so --seed contradicts it;'],
    [
      ['--param', 'fast=0:5'],
      'Parameter "fast" of strategy "sma-cross" is "0", but must be a whole number from 1 to 5000.',
    ],
    [
      ['--sampler', 'grid'],
      'The grid has 24,995,000 points; narrow it with --param, or say how many with --trials.',
    ],
    [
      ['--symbol', 'BTC/USDT,ETH/USDT', '--data', 'a.csv,b.csv'],
      'A search has one market, and --symbol names several;',
    ],
  ])('refuses with a sentence: %j', async (given, sentence) => {
    const { exitCode, err } = await sluiceHere('optimize', SMA, ...studied().inputs, ...given)
    expect([exitCode, err]).toEqual([2, expect.stringContaining(sentence)])
  })

  it.each([
    ["() => 'good'", 'answered string "good" for fast=5 slow=40; its answer must be a number, or undefined'],
    ['async () => 1', 'answered a promise for fast=5 slow=40; its answer must be a number, or undefined'],
    ["() => { throw new Error('Boom.') }", 'threw for fast=5 slow=40: Boom.'],
  ])('says what is wrong with an objective of a file: %s', async (code, sentence) => {
    const file = fileWith('objective.mjs', `export default ${code}\n`)
    const one = ['--param', 'fast=5', '--param', 'slow=40', '--trials', '1', '--jobs', '1']
    const { exitCode, err } = await sluiceHere(
      ...['optimize', SMA, ...studied().inputs, ...one, '--objective', file],
    )
    expect([exitCode, err]).toEqual([2, expect.stringContaining(`The objective ${file} ${sentence}`)])
  })

  it('ends with exit code 1 where no trial was finished', async () => {
    const strategy = fileWith(
      'throws.ts',
      `import { defineStrategy } from '${join(ROOT, 'src/strategy/index.ts')}'
export default defineStrategy({ name: 'throws', onKline: () => { throw new Error('Boom.') } })\n`,
    )
    const { exitCode, out } = await sluiceHere(
      ...['optimize', strategy, ...studied().inputs, '--trials', '1', '--jobs', '1'],
    )
    expect([exitCode, out]).toEqual([
      1,
      expect.stringContaining('No trial finished, so there is no best one.'),
    ])
  })
})
