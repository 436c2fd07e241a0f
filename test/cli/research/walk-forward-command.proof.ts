import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { walkForwardSentences } from '../../../src/cli/research/walk-forward-report.ts'
import type { KlineColumns } from '../../../src/klines/kline-columns.ts'
import { walkForwardEfficiency } from '../../../src/research/walk-forward/efficiency.ts'
import { klinesOf } from '../../backtest/kline-table.ts'
import { randomRows } from '../../backtest/random-market.ts'
import {
  efficiencyByHand,
  HALF_DAY,
  type PlanByHand,
  purgeByHand,
  ratiosByHand,
  totalByHand,
  walkForwardByHand,
} from '../../backtest/walk-forward/by-hand.ts'
import { sluiceHere } from '../backtest/in-process.ts'
import { fileWith, ROOT } from '../sluice-process.ts'
import { apart, contentOf, type Studied, studied, trialsIn } from './studied.ts'

const SMA = 'strategies/sma-cross.ts'
const GRID = ['--sampler', 'grid', '--param', 'fast=2:8:3', '--param', 'slow=12:24:6']

/** Midnight. */
const START = Date.UTC(2024, 0, 1)

/** Long while the close is above that of `lag` klines before. */
const FOLLOWER = `
import { defineStrategy, enterLong, exit, integer } from '${join(ROOT, 'src/strategy/index.ts')}'
export default defineStrategy({
  name: 'follower',
  parameters: { lag: integer({ default: 5, min: 1, max: 100, description: 'Klines back.' }) },
  history: ({ lag }) => lag + 1,
  warmUp: ({ lag }) => lag,
  onKline: ({ close }, { history }) => (close > history[0].close ? enterLong() : exit()),
})
`

const ONE_COIN = `
account: { type: margin, balance: { USDT: 10000 } }
instruments: { default: { makerFeeRate: 0.001, takerFeeRate: 0.001 } }
size: { base: 1 }
fills: { slippageRate: 0 }
`

/** The grid of `lag=2:20:6`. */
const LAGS = [2, 8, 14, 20]

/** Half-days, and a file of them. */
function halfDays(seed: number): { readonly klines: KlineColumns; readonly file: string } {
  const klines = klinesOf(randomRows(seed, 200))
  klines.openTime.forEach((_, row) => {
    klines.openTime[row] = START + row * HALF_DAY
  })
  const { open, high, low, close, openTime } = klines
  const rows = [...openTime].map((time, row) =>
    [time, open[row], high[row], low[row], close[row], 1e6].join(),
  )
  return { klines, file: fileWith('200.csv', `idx,open,high,low,close,vol\n${rows.join('\n')}\n`) }
}

/** The command on such a file, as plain data. */
async function walked(file: string, ...options: readonly string[]) {
  const { exitCode, out, err } = await sluiceHere(
    ...['walk-forward', fileWith('follower.ts', FOLLOWER), '--config', fileWith('coin.yaml', ONE_COIN)],
    ...['--data', file, '--symbol', 'BTC/USDT', '--interval', '12h', '--study', 'none', '--json', '-'],
    ...['--sampler', 'grid', '--param', 'lag=2:20:6', ...options],
  )
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
  return JSON.parse(out)
}

/** The first `length` klines. */
function shortened(klines: KlineColumns, length: number): KlineColumns {
  return { ...klines, length }
}

/** Numbers that differ by rounding only. */
function expectClose(found: readonly number[], byHand: readonly number[]): void {
  expect(found).toHaveLength(byHand.length)
  byHand.forEach((value, index) => {
    expect(Math.abs((found[index] as number) - value)).toBeLessThanOrEqual(
      1e-10 * Math.max(1, Math.abs(value)),
    )
  })
}

/** Every figure of a walk-forward against plain loops. */
function expectByHand(
  found: Awaited<ReturnType<typeof walked>>,
  klines: KlineColumns,
  plan: PlanByHand,
): void {
  const byHand = walkForwardByHand(klines, plan, LAGS)
  const time = (row: number) => START + row * HALF_DAY
  expect(found.plan).toMatchObject({ purge: plan.purge, embargo: plan.embargo, isAnchored: plan.isAnchored })
  expect(found.windows).toMatchObject(
    byHand.windows.map(({ train, test, lag }) => ({
      train: { from: time(train[0]), to: time(train[1]) },
      test: { from: time(test[0]), to: time(test[1]) },
      ...{ tried: LAGS.length, chosen: { lag } },
    })),
  )
  for (const [index, { inside, tested }] of byHand.windows.entries()) {
    const { inSample, outOfSample } = found.windows[index]
    expectClose([inSample, outOfSample], [totalByHand(inside.values()), totalByHand(tested.values())])
  }
  const returns = [...byHand.returns.values()]
  expect(found.firstDay).toBe([...byHand.returns.keys()][0])
  expectClose(found.dailyReturns, returns)
  expectClose(
    found.equity,
    returns.map((_, index) => 1 + totalByHand(returns.slice(0, index + 1))),
  )
  const { days, totalReturn, sharpe, t, efficiency, newerEfficiency } = found.outOfSample
  const ratios = ratiosByHand(returns)
  expectClose(
    [days, totalReturn, sharpe.value, t.value],
    [returns.length, totalByHand(returns), ratios.sharpe, ratios.t],
  )
  const newer = byHand.windows.slice(Math.floor(byHand.windows.length / 2))
  for (const [part, windows] of [
    [efficiency, byHand.windows],
    [newerEfficiency, newer],
  ] as const) {
    const left = efficiencyByHand(windows)
    if (left === undefined)
      expect(part).toEqual({ value: null, reason: expect.stringMatching(/earned nothing/) })
    else expectClose([part.value], [left])
  }
  const chosen = byHand.windows.map(({ lag }) => lag)
  expect(found.drift).toEqual([{ name: 'lag', values: chosen, ...changesByHand(chosen) }])
}

function changesByHand(chosen: readonly number[]) {
  const steps = chosen.slice(1).map((lag, index) => Math.abs(lag - (chosen[index] as number)))
  return {
    changes: steps.filter(step => step > 0).length,
    meanStep: steps.reduce((sum, step) => sum + step, 0) / steps.length,
  }
}

describe('npm run walk-forward', () => {
  it.each([
    { seed: 3, plan: { train: 81, test: 31, purge: 3, embargo: 0, isAnchored: false } },
    { seed: 4, plan: { train: 70, test: 25, purge: 0, embargo: 0, isAnchored: true } },
    { seed: 7, plan: { train: 60, test: 20, purge: 4, embargo: 6, isAnchored: false } },
  ])('on 200 klines is the one worked out by hand: %j', async ({ seed, plan }) => {
    const { klines, file } = halfDays(seed)
    const { train, test, purge, embargo, isAnchored } = plan
    const lengths = { train, test, purge, embargo }
    const given = Object.entries(lengths).flatMap(([name, length]) => [`--${name}`, `${length}`])
    expectByHand(await walked(file, ...given, ...(isAnchored ? ['--anchored'] : [])), klines, plan)
  })

  it.each([
    { seed: 9, windows: 4, embargo: 2 },
    { seed: 8, windows: 3, embargo: 0 },
  ])('leaves out the longest holding time of the first training, by hand: %j', async given => {
    const { windows, embargo } = given
    const { klines, file } = halfDays(given.seed)
    const purge = purgeByHand(klines, windows, embargo, LAGS)
    expect(purge).toBeGreaterThan(3)
    const test = Math.floor((200 - purge - embargo) / (windows + 3))
    const plan = { ...{ train: 3 * test, test, purge, embargo }, isAnchored: false }
    const found = await walked(file, '--windows', `${windows}`, '--embargo', `${embargo}`)
    expect(found.windows).toHaveLength(windows)
    // More windows of this length may fit than were asked for.
    expectByHand(found, shortened(klines, 3 * test + purge + embargo + windows * test), plan)
  })

  it('shows windows, what is left out of sample, drift, and how positions at an end are treated', async () => {
    const world = studied()
    const { exitCode, out } = await sluiceHere(
      'walk-forward',
      SMA,
      ...world.inputs,
      ...GRID,
      '--windows',
      '4',
    )
    expect(exitCode).toBe(0)
    expect(out).toMatch(/^sma-cross on BTC\/USDT 1h, /)
    expect(out).toMatch(/^4 rolling windows; \d+ klines left out between training and test\.$/m)
    expect(out).toMatch(/^Out of sample, \d+ days: return -?[\d.,]+%, annual Sharpe ratio /m)
    expect(out).toMatch(/^Mean daily return of the tests as a part of that of their trainings: /m)
    expect(out).toMatch(/^Drift of slow: changed \d of 3 times/m)
    expect(out).toContain(
      'A position at the end of a window is sold at its last close, with fees and slippage.',
    )
    // Trials of windows are kept as well, and not run again.
    const kept = trialsIn(world.study)
    expect(kept.length).toBeGreaterThan(4 * 9)
    expect(kept.every(({ isSpan }) => isSpan)).toBe(true)
    const again = await sluiceHere('walk-forward', SMA, ...world.inputs, ...GRID, '--windows', '4')
    expect(again.out).toBe(out)
    expect(trialsIn(world.study)).toEqual(kept)
  })

  it('gives the same bytes and the same study on two threads', async () => {
    const world = studied()
    const sampled = [
      '--sampler',
      'tpe',
      '--trials',
      '20',
      '--param',
      'fast=2:8',
      '--param',
      'slow=12:24',
      '--json',
      '-',
    ]
    const [one, two] = [apart(world, 'one'), apart(world, 'two')]
    const on = async ({ inputs }: Studied, jobs: string) =>
      (await sluiceHere('walk-forward', SMA, ...inputs, ...sampled, '--windows', '2', '--jobs', jobs)).out
    const out = await on(one, '1')
    expect(JSON.parse(out).windows).toHaveLength(2)
    expect(await on(two, '2')).toBe(out)
    expect(contentOf(two)).toEqual(contentOf(one))
  })

  it('tests every choice of folds, with paths', async () => {
    const { inputs, study } = studied()
    expect((await sluiceHere('optimize', SMA, ...inputs, ...GRID, '--jobs', '1')).exitCode).toBe(0)
    const given = ['walk-forward', SMA, ...inputs, ...GRID, '--combinatorial', '4:2']
    const { exitCode, out } = await sluiceHere(...given, '--json', '-')
    expect(exitCode).toBe(0)
    const found = JSON.parse(out)
    expect([found.chosen.length, found.paths.length]).toEqual([6, 3])
    // 2,000 hours are 84 days; each path has all of them.
    expect(found.paths.map(({ dailyReturns }: { dailyReturns: unknown[] }) => dailyReturns.length)).toEqual([
      84, 84, 84,
    ])
    // Purge and embargo follow from the trials of the search, which luck had once.
    expect(trialsIn(study).filter(({ isSpan }) => !isSpan)).toHaveLength(9)
    expect((await sluiceHere(...given)).out).toMatch(
      /^6 splits of 4 folds, 2 of them tested; \d+ klines left out/m,
    )
  })

  it('says which of the newest klines are in no test', async () => {
    const { inputs } = studied()
    const run = (...more: string[]) =>
      sluiceHere('walk-forward', SMA, ...inputs, ...GRID, '--purge', '0', ...more)
    // 2,000 hours from 2024-01-01: tests of 500 from hour 800 on end at hour 1,800, which is 75 days later.
    const lengths = ['--train', '800', '--test', '500']
    const { exitCode, out } = await run(...lengths)
    expect(exitCode).toBe(0)
    expect(out).toContain(
      'The newest 200 klines, from 2024-03-16T00:00:00.000Z, are in no test, because a test has 500',
    )
    const { plan, windows, untested } = JSON.parse((await run(...lengths, '--json', '-')).out)
    expect([plan.windows, windows.length]).toEqual([2, 2])
    expect(untested).toEqual({ klines: 200, from: Date.UTC(2024, 2, 16) })
    // With lengths of its own: 2,000 ÷ (4 + 3) is a test of 285, and 5 are left.
    expect((await run('--windows', '4')).out).not.toContain('in no test')
  })

  it('says what an efficiency below 0 means, and why there is none', () => {
    const nothing = { value: undefined, reason: 'It has no days.' }
    const done = { windows: [], plan: { purge: 0, embargo: 0 }, untested: { klines: 0 } }
    const sentence = (inSample: number, outOfSample: number) => {
      const efficiency = walkForwardEfficiency([{ inSample: [inSample], outOfSample: [outOfSample] }])
      const figures = { days: 1, totalReturn: 0, sharpe: nothing, t: nothing, drift: [] }
      return walkForwardSentences(
        { search: { parameters: { space: [] } } } as never,
        done as never,
        { ...figures, efficiency, newerEfficiency: { value: 0.25, reason: undefined } } as never,
      ).find(line => line.startsWith('Mean daily return'))
    }
    const begin = 'Mean daily return of the tests as a part of that of their trainings: '
    const end = '; in the newer half of the tests: 25.0%.'
    expect(sentence(0.02, 0.01)).toBe(`${begin}50.0%${end}`)
    expect(sentence(0.02, -0.01)).toBe(`${begin}-50.0% (the trainings earned, and the tests lost)${end}`)
    expect(sentence(-0.02, 0.01)).toBe(
      `${begin}undefined (The trainings earned nothing on average, so there is no gain to measure the tests by)${end}`,
    )
  })

  it.each(['walk-forward', 'validate'])('says of %s that it goes on without --resume', async command => {
    const { exitCode, err } = await sluiceHere(command, SMA, ...studied().inputs, '--resume')
    expect([exitCode, err]).toEqual([
      2,
      '--resume is an option of npm run optimize. This command goes on when it is given again as it was, because no trial of the study is run twice; leave --resume out.\n',
    ])
    expect((await sluiceHere(command, '--help')).out).not.toContain('--resume')
  })

  it.each([
    [['--windows', '3', '--train', '100', '--test', '50'], /--windows, --train and --test contradict/],
    [['--combinatorial', '4:2', '--anchored'], /--combinatorial and --anchored contradict/],
    [['--combinatorial', '4'], /Write folds:tested, such as 6:2/],
    [['--combinatorial', '4:4'], /4 tested folds of 4 leave none to train on; test at most 3/],
    [['--train', '1900', '--test', '200'], /needs at least 2100 klines, and there are 2000; give more data/],
    [['--windows', '2500'], /2500 windows need at least 2503 klines, and there are 2000/],
    [
      ['--train', '690', '--test', '200'],
      /to 2024-01-29T18:00:00.000Z has 29 days, and sharpe needs at least 30, which are 720 klines; give longer/,
    ],
    [['--objective', 'sharpe,calmar'], /names several, but each training chooses by one; name one/],
  ])('refuses %j with a sentence', async (options, sentence) => {
    const { inputs } = studied()
    const { exitCode, err } = await sluiceHere('walk-forward', SMA, ...inputs, ...GRID, ...options)
    expect(exitCode).toBe(2)
    expect(err).toMatch(sentence)
  })
})
