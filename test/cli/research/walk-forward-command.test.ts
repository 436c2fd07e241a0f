import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { klinesOf } from '../../backtest/kline-table.ts'
import { randomRows } from '../../backtest/random-market.ts'
import { HALF_DAY, walkForwardByHand } from '../../backtest/walk-forward/by-hand.ts'
import { sluiceHere } from '../backtest/in-process.ts'
import { fileWith, ROOT } from '../sluice-process.ts'
import { studied, trialsIn } from './studied.ts'

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

describe('npm run walk-forward', () => {
  it.each([
    { seed: 3, plan: { train: 81, test: 31, purge: 3, isAnchored: false } },
    { seed: 4, plan: { train: 70, test: 25, purge: 0, isAnchored: true } },
  ])('on 200 klines is the one worked out by hand: %j', async ({ seed, plan }) => {
    const klines = { ...klinesOf(randomRows(seed, 200)) }
    klines.openTime.forEach((_, row) => {
      klines.openTime[row] = START + row * HALF_DAY
    })
    const { open, high, low, close, openTime } = klines
    const rows = [...openTime].map((time, row) =>
      [time, open[row], high[row], low[row], close[row], 1e6].join(),
    )
    const { exitCode, out, err } = await sluiceHere(
      ...['walk-forward', fileWith('follower.ts', FOLLOWER), '--config', fileWith('coin.yaml', ONE_COIN)],
      ...['--data', fileWith('200.csv', `idx,open,high,low,close,vol\n${rows.join('\n')}\n`)],
      ...['--symbol', 'BTC/USDT', '--interval', '12h', '--study', 'none', '--json', '-'],
      ...['--sampler', 'grid', '--param', 'lag=2:20:6', '--train', `${plan.train}`, '--test', `${plan.test}`],
      ...['--purge', `${plan.purge}`, ...(plan.isAnchored ? ['--anchored'] : [])],
    )
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
    const found = JSON.parse(out)
    const byHand = walkForwardByHand(klines, plan, [2, 8, 14, 20])
    expect(found.windows.map(({ chosen }: { chosen: unknown }) => chosen)).toEqual(
      byHand.chosen.map(lag => ({ lag })),
    )
    expect(found.dailyReturns).toHaveLength(byHand.returns.size)
    let worth = 1
    for (const [index, value] of [...byHand.returns.values()].entries()) {
      worth *= 1 + value
      expect(found.dailyReturns[index]).toBeCloseTo(value, 12)
      expect(found.equity[index]).toBeCloseTo(worth, 12)
    }
    const { efficiency } = found.outOfSample
    if (byHand.promised > 0) expect(efficiency.value).toBeCloseTo(byHand.kept / byHand.promised, 9)
    else expect(efficiency).toEqual({ value: null, reason: expect.stringMatching(/earned nothing/) })
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
    expect(out).toMatch(/^Left of the mean daily return in sample: /m)
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

  it('tests every choice of folds, with paths', async () => {
    const { inputs } = studied()
    const given = ['walk-forward', SMA, ...inputs, ...GRID, '--combinatorial', '4:2']
    const { exitCode, out } = await sluiceHere(...given, '--json', '-')
    expect(exitCode).toBe(0)
    const found = JSON.parse(out)
    expect([found.chosen.length, found.paths.length]).toEqual([6, 3])
    // 2,000 hours are 84 days; each path has all of them.
    expect(found.paths.map(({ dailyReturns }: { dailyReturns: unknown[] }) => dailyReturns.length)).toEqual([
      84, 84, 84,
    ])
    expect((await sluiceHere(...given)).out).toMatch(
      /^6 splits of 4 folds, 2 of them tested; \d+ klines left out/m,
    )
  })

  it.each([
    [['--windows', '3', '--train', '100', '--test', '50'], /--windows, --train and --test contradict/],
    [['--combinatorial', '4:2', '--anchored'], /--combinatorial and --anchored contradict/],
    [['--combinatorial', '4'], /Write folds:tested, such as 6:2/],
    [['--combinatorial', '4:4'], /4 tested folds of 4 leave none to train on; test at most 3/],
    [['--train', '1900', '--test', '200'], /needs at least 2100 rows, and there are 2000; give more data/],
    [['--windows', '2500'], /2500 windows need at least 2503 klines, and there are 2000/],
    [['--objective', 'sharpe,calmar'], /names several, but each training chooses by one; name one/],
  ])('refuses %j with a sentence', async (options, sentence) => {
    const { inputs } = studied()
    const { exitCode, err } = await sluiceHere('walk-forward', SMA, ...inputs, ...GRID, ...options)
    expect(exitCode).toBe(2)
    expect(err).toMatch(sentence)
  })
})
