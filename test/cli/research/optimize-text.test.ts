import { describe, expect, it } from 'vitest'
import { type CountedTrial, deflationIn, luckText } from '../../../src/cli/research/luck-text.ts'
import { listText, probabilityText } from '../../../src/cli/research/report-parts.ts'
import { StudyFile } from '../../../src/studies/study-file.ts'
import type { StudyTrial } from '../../../src/studies/study-trial.ts'
import { sluiceHere } from '../backtest/in-process.ts'
import { contentOf, SEARCHED_STRATEGY, type Studied, studied } from './studied.ts'

const GRID = ['--sampler', 'grid', '--param', 'fast=4:8:4', '--param', 'slow=12:16:4', '--jobs', '1']

function optimized({ inputs }: Studied, ...options: readonly string[]) {
  return sluiceHere('optimize', SEARCHED_STRATEGY, ...inputs, ...options)
}

/** Heads of the table of the best. */
function headsOf(out: string): readonly string[] {
  const line = out.split('\n').find(text => text.startsWith('  trial  fast  slow  ')) ?? ''
  return line.trim().split(/ {2,}/)
}

describe('the text of a search', () => {
  it('shows each figure once, also where it is an objective', async () => {
    const world = studied()
    const before = ['trial', 'fast', 'slow']
    const after = ['plateau', 'net USDT', 'drawdown', 'round trips']
    expect(headsOf((await optimized(world, ...GRID)).out)).toEqual([
      ...[...before, 'Sharpe', ...after, 'profit factor'],
    ])
    const objectives = 'return-over-drawdown,sortino,sharpe'
    const { out } = await optimized(world, ...GRID, '--objective', objectives)
    expect(headsOf(out)).toEqual([
      ...[...before, 'return ÷ drawdown', 'Sortino', 'Sharpe', ...after, 'profit factor'],
    ])
    expect(out).toContain(' by grid, seed 1, for return-over-drawdown, sortino and sharpe.\n')
  })

  it('calls a single best the one, and says why it has no plateau', async () => {
    const world = studied()
    const { out } = await optimized(world, '--param', 'fast=4', '--param', 'slow=12', '--jobs', '1')
    expect(out).toContain('\nThe best one:\n')
    expect(out).toContain(
      '\nNo plateau: no parameter has a step, so no trial has neighbours; write one as LOW:HIGH:STEP.\n',
    )
    const stepped = (await optimized(world, ...GRID)).out
    expect(stepped).toContain('\nThe best 4:\n')
    expect(stepped).not.toContain('No plateau')
  })

  it('prints money with two decimals, in the study as in the search', async () => {
    const world = studied()
    const { out } = await optimized(world, ...GRID)
    const shown = (await sluiceHere('studies', 'show', 'sma-cross', '--study', world.study)).out
    const profits = contentOf(world).map(({ figures }) =>
      Number(figures?.netProfit).toLocaleString('en-US', {
        minimumFractionDigits: 2,
        maximumFractionDigits: 2,
      }),
    )
    expect(profits).toHaveLength(4)
    for (const profit of profits) {
      expect(out).toContain(` ${profit} `)
      expect(shown).toContain(` ${profit} `)
    }
  })

  it('refuses to make a search that goes on smaller than it was asked for, however few trials it has', async () => {
    const world = studied()
    const search = ['--sampler', 'random', '--seed', '3', '--param', 'fast=2:9', '--param', 'slow=10:40']
    await optimized(world, ...search, '--trials', '3', '--jobs', '1')
    const file = new StudyFile(world.study)
    const [{ asked: [{ search: id = '', definition } = {}] = [] } = {}] = contentOf(world)
    const [{ key: _, parameters: __, ...identity } = {} as never] = contentOf(world)
    // As one of 400 that was killed after three.
    file.addSearch({ ...identity, id, definition: { ...(definition as object), trials: 400 } })
    file.close()
    expect(await optimized(world, '--resume', '--trials', '100')).toMatchObject({
      exitCode: 2,
      err: 'The latest search of sma-cross was asked for 400 trials, and --trials 100 asks for fewer; give --trials 400 or more, or leave it out.\n',
    })
  })
})

describe('a probability', () => {
  it('that three decimals would show as none is below 0.001', () => {
    expect([0, 0.00099, 0.001, 0.0504, 1].map(probabilityText)).toEqual([
      ...['< 0.001', '< 0.001', '0.001', '0.050', '1.000'],
    ])
  })

  it('of the luck of a losing trial is below 0.001 as well', () => {
    const study = new StudyFile(':memory:')
    // A mean of -0.01 a day with a deviation of 0.001: no luck explains it.
    const dailyReturns = Float64Array.from(
      { length: 40 },
      (_, day) => -0.01 + (day % 2 === 0 ? 0.001 : -0.001),
    )
    const trial: StudyTrial & CountedTrial = {
      ...{ strategy: 's', symbol: 'BTC/USDT', interval: '1h', code: 'c', data: 'd', config: 'f' },
      ...{ from: 0, to: 40 * 86_400_000, isSpan: false, key: 'k', parameters: {}, outcome: 'finished' },
      ...{ firstDay: 0, dailyReturns },
    }
    study.addTrial(trial)
    expect(luckText('study', 's', deflationIn(study, trial))).toMatch(/luck\): < 0\.001$/)
    study.close()
  })
})

describe('names in a sentence', () => {
  it('have commas between them, and one "and"', () => {
    expect([['a'], ['a', 'b'], ['a', 'b', 'c']].map(listText)).toEqual(['a', 'a and b', 'a, b and c'])
  })
})
