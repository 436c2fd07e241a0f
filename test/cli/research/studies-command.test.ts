import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { describe, expect, it } from 'vitest'
import { TRIAL_FIGURES } from '../../../backtest/trials/trial.ts'
import { StudyFile } from '../../../src/studies/study-file.ts'
import type { StudyTrial, TrialGroup } from '../../../src/studies/study-trial.ts'
import { sluiceHere } from '../backtest/in-process.ts'
import { fileWith } from '../sluice-process.ts'
import { studied, trialsIn } from './studied.ts'

const SMA = 'strategies/sma-cross.ts'

/** A study with a search of nine points, of which three are refused, and a backtest by hand. */
async function playedStudy() {
  const world = studied()
  const grid = [
    '--sampler',
    'grid',
    '--seed',
    '5',
    '--param',
    'fast=4:12:4',
    '--param',
    'slow=8:16:4',
    '--jobs',
    '1',
  ]
  expect((await sluiceHere('optimize', SMA, ...world.inputs, ...grid)).exitCode).toBe(0)
  expect((await sluiceHere('backtest', SMA, ...world.inputs)).exitCode).toBe(0)
  return world
}

describe('npm run studies', () => {
  it('lists strategies with their trials', async () => {
    const { study } = await playedStudy()
    const { out } = await sluiceHere('studies', 'list', '--study', study, '--json')
    const { groups } = JSON.parse(out)
    expect(groups).toMatchObject([
      { strategy: 'sma-cross', symbol: 'BTC/USDT', interval: '1h', isSpan: false, finished: 7, failed: 0 },
    ])
    expect(groups[0].bestSharpe).toBe(
      Math.max(...trialsIn(study).map(({ figures }) => Number(figures?.sharpe))),
    )
    expect((await sluiceHere('studies', 'list', '--study', study)).out).toContain('sma-cross')
  })

  it('shows the best of a strategy, and what all of them leave', async () => {
    const { study } = await playedStudy()
    const { out } = await sluiceHere('studies', 'show', 'sma-cross', '--study', study)
    expect(out).toContain(`${study} knows 7 trials of sma-cross on klines of these days.`)
    expect(out).toContain('by hand')
    const { trials } = JSON.parse(
      (await sluiceHere('studies', 'show', 'sma-cross', '--study', study, '--json')).out,
    )
    const asked = trials.flatMap(
      (trial: { asked: { seed: number; sampler: string; number: number }[] }) => trial.asked,
    )
    // The first and the third row of 4, 8, 12 and the last of 8 are below their slow average of 8, 12, 16.
    expect(asked.map(({ number }: { number: number }) => number).sort()).toEqual([0, 1, 2, 4, 5, 8])
    expect(asked[0]).toMatchObject({ seed: 5, sampler: 'grid' })
  })

  it('tells trials of other fees and other code apart, and judges the best of each configuration', async () => {
    const { inputs, study } = studied()
    const free = fileWith('free.yaml', 'instruments: { default: { makerFeeRate: 0, takerFeeRate: 0 } }\n')
    const backtest = (slow: number, ...more: readonly string[]) =>
      sluiceHere('backtest', SMA, ...inputs, '--param', 'fast=4', '--param', `slow=${slow}`, ...more)
    await backtest(12)
    await backtest(16)
    const shown = async () => (await sluiceHere('studies', 'show', 'sma-cross', '--study', study)).out
    // One configuration and one code need no column.
    expect(await shown()).toMatch(/^│ parameters +│ Sharpe +│ net profit +│ drawdown/m)
    expect(await shown()).not.toContain('The best of configuration')
    expect((await backtest(12, '--config', free)).exitCode).toBe(0)
    const file = new StudyFile(study)
    const [one] = file.groups().flatMap(group => [...file.trialsOf(group)])
    file.addTrial({ ...one, key: 'other', code: 'abcdef0123', parameters: { fast: 1 } } as StudyTrial)
    file.close()
    const out = await shown()
    expect(out).toMatch(/^│ parameters +│ configuration │ code +│ Sharpe /m)
    const trials = trialsIn(study)
    for (const { parameters, config, code } of trials)
      expect(out).toMatch(
        new RegExp(`^│ fast=${parameters.fast}.* │ ${config.slice(0, 8)} +│ ${code.slice(0, 8)} │`, 'm'),
      )
    const configs = [...new Set(trials.map(({ config }) => config.slice(0, 8)))]
    expect(configs).toHaveLength(2)
    for (const config of configs)
      expect(out).toMatch(
        new RegExp(
          `^The best of configuration ${config}, fast=\\d+.*:\\n.* knows 4 trials of .*\\nDeflated Sharpe ratio `,
          'm',
        ),
      )
  })

  it.each(['csv', 'parquet'])('exports what is in the file, as %s', async ending => {
    const { study } = await playedStudy()
    const file = study.replace('study.sqlite', `trials.${ending}`)
    const { out } = await sluiceHere('studies', 'export', file, '--study', study)
    expect(out).toBe(`${file} has 7 trials.\n`)
    const bytes = readFileSync(file)
    const rows: Record<string, unknown>[] =
      ending === 'csv'
        ? parse(bytes, { columns: true })
        : await parquetReadObjects({ file: new Uint8Array(bytes).buffer, compressors })
    const trials = trialsIn(study)
    expect(rows).toHaveLength(7)
    for (const row of rows) {
      const trial = trials.find(({ key }) => key === row.key)
      const plain = { ...row, code: trial?.code, data: trial?.data, config: trial?.config }
      expect(plain).toMatchObject({
        strategy: 'sma-cross',
        symbol: 'BTC/USDT',
        span: 'all',
        outcome: 'finished',
        ...row,
      })
      expect(JSON.parse(String(row.parameters))).toEqual(trial?.parameters)
      const returns = ending === 'csv' ? JSON.parse(String(row.dailyReturns)) : row.dailyReturns
      expect(returns).toEqual([...(trial?.dailyReturns ?? [])])
      const types = ['from', 'roundTrips', 'fills', 'firstDay', 'sharpe'].map(name => typeof row[name])
      const whole = ending === 'csv' ? 'string' : 'bigint'
      expect(types).toEqual([whole, whole, whole, whole, ending === 'csv' ? 'string' : 'number'])
      const figures = TRIAL_FIGURES.map(name => [
        name,
        row[name] === '' || row[name] === null ? null : Number(row[name]),
      ])
      const isClosed = row.openForMs === '' || row.openForMs === null
      const openFor = isClosed ? {} : { openForMs: Number(row.openForMs) }
      expect({ ...Object.fromEntries(figures), ...openFor }).toEqual(trial?.figures)
      expect([Number(row.from), Number(row.to)]).toEqual([trial?.from, trial?.to])
    }
  })

  it('writes a page with every trial in the order of its search, the same bytes each time', async () => {
    const { study } = await playedStudy()
    const [first, second] = ['one.html', 'other.html'].map(name => study.replace('study.sqlite', name))
    for (const html of [first, second]) {
      const { out } = await sluiceHere(
        'studies',
        'report',
        'sma-cross',
        '--html',
        String(html),
        '--study',
        study,
      )
      expect(out).toBe(`${html} has 7 trials.\n`)
    }
    const page = readFileSync(String(first), 'utf8')
    expect(readFileSync(String(second), 'utf8')).toBe(page)
    expect(page).toContain('knows 7 trials of sma-cross on klines of these days.')
    const opened = new StudyFile(study)
    const [group] = opened.groups()
    const numbers = [...opened.trialsInOrder(group as TrialGroup)].map(({ number }) => number)
    opened.close()
    expect(numbers).toEqual([0, 1, 2, 4, 5, 8, undefined])
  })

  it.each([
    [['list', '--study', 'nowhere.sqlite'], 'nowhere.sqlite does not exist; a backtest or a search makes it'],
    [['list', '--study', 'none'], 'There is no study file to read; name one with --study.'],
    [
      ['export', 'trials.xls'],
      'trials.xls has no known ending; give a file that ends with .csv or .parquet.',
    ],
  ])('refuses with a sentence: %j', async (args, sentence) => {
    const { exitCode, err } = await sluiceHere('studies', ...args)
    expect(exitCode).toBe(2)
    expect(err).toContain(sentence)
  })

  it('suggests the strategy that was meant', async () => {
    const { study } = await playedStudy()
    const { exitCode, err } = await sluiceHere('studies', 'show', 'sma-crss', '--study', study)
    expect([exitCode, err]).toEqual([
      2,
      `${study} has no trials of a strategy "sma-crss". Did you mean "sma-cross"?\n`,
    ])
  })

  it('counts the trials of a search beside each window of a walk-forward, the last test among them', async () => {
    const { inputs, study } = studied()
    const grid = ['--sampler', 'grid', '--param', 'fast=2:5:1', '--param', 'slow=20:40:10']
    for (const [command = '', ...options] of [['optimize'], ['walk-forward', '--windows', '3']]) {
      const given = [SMA, ...inputs, ...grid, ...options, '--json', '-']
      expect(await sluiceHere(command, ...given)).toMatchObject({ exitCode: 0, err: '' })
    }
    const { out } = await sluiceHere('studies', 'show', 'sma-cross', '--study', study)
    // All klines, the training that tells the purge, three trainings and three tests; 4 × 3 parameter sets on all but tests, of one.
    expect(out.match(/knows (no other trial|\d+ trials) /g)).toEqual(Array(8).fill('knows 12 trials '))
    expect(out).not.toContain('by hand')
    expect(out).toContain('walk-forward')
  })

  it('names the trials of a verdict and of folds on all klines by their command, and goes on with neither', async () => {
    const { inputs, study } = studied()
    const grid = ['--sampler', 'grid', '--param', 'fast=2:8:6', '--param', 'slow=24']
    const run = (command: string, ...options: readonly string[]) =>
      sluiceHere(command, SMA, ...inputs, ...options)
    const config = fileWith(
      'quick.yaml',
      'validate: { resamples: 100, controls: 9, windows: 3, repeats: 1 }\n',
    )
    const shown = async () => {
      const { out } = await sluiceHere('studies', 'show', 'sma-cross', '--study', study)
      return out.match(/^│ fast=.* slow=24 .* by .*?(?= +│$)/gm)?.map(row => row.replace(/.*by /, 'by '))
    }
    expect((await run('validate', ...grid, '--config', config)).err).toBe('')
    expect(await shown()).toContain('by a verdict')
    expect(await shown()).not.toContain('by hand')
    expect(await run('optimize', '--resume', '--config', config)).toMatchObject({
      exitCode: 2,
      err: `${study} has no search of sma-cross on this data to go on with; leave --resume out to begin one.\n`,
    })
    expect((await run('walk-forward', ...grid, '--config', config, '--combinatorial', '4:2')).err).toBe('')
    expect(await shown()).toContain('by a verdict and a walk-forward')
    expect((await run('optimize', ...grid, '--seed', '1', '--config', config)).exitCode).toBe(0)
    expect((await run('optimize', ...grid, '--seed', '2', '--config', config)).exitCode).toBe(0)
    expect(await shown()).toContain('by 2 searches and a verdict and a walk-forward')
    const { trials } = JSON.parse(
      (await sluiceHere('studies', 'show', 'sma-cross', '--study', study, '--json')).out,
    )
    const commands = trials.map(({ asked }: { asked: { command: string }[] }) =>
      asked.map(({ command }) => command).sort(),
    )
    expect(commands.filter((asked: string[]) => asked.length > 0)).toEqual(
      Array(2).fill(['optimize', 'optimize', 'validate', 'walk-forward']),
    )
  })
})
