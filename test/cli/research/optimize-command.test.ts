import { describe, expect, it } from 'vitest'
import { sluiceHere } from '../backtest/in-process.ts'
import { type Studied, studied, trialsIn } from './studied.ts'

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
})
