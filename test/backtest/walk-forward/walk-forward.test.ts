import { describe, expect, it } from 'vitest'
import type { BacktestOptions } from '../../../backtest/run/backtest-options.ts'
import { atOnce } from '../../../backtest/run/resumable.ts'
import { resumableTrials } from '../../../backtest/trials/resumable-trials.ts'
import type { FinishedTrial, ParameterSet, TrialRunner } from '../../../backtest/trials/trial.ts'
import { combinatorialTest } from '../../../backtest/walk-forward/combinatorial.ts'
import type { SpanSearch } from '../../../backtest/walk-forward/span-search.ts'
import { walkForward } from '../../../backtest/walk-forward/walk-forward.ts'
import { rateOf } from '../../../src/domain/numbers/amount.ts'
import type { KlineColumns } from '../../../src/klines/kline-columns.ts'
import { combinatorialSplits } from '../../../src/research/splits/combinatorial-splits.ts'
import { walkForwardWindows } from '../../../src/research/splits/walk-forward-windows.ts'
import { totalReturn } from '../../../src/research/walk-forward/daily-record.ts'
import { walkForwardEfficiency } from '../../../src/research/walk-forward/efficiency.ts'
import { defineStrategy, enterLong, exit, integer } from '../../../src/strategy/index.ts'
import { MARGIN } from '../../engine/engine-session.ts'
import { klinesOf, type Row } from '../kline-table.ts'
import { randomRows } from '../random-market.ts'
import { backtestOn } from '../trials/trial-market.ts'
import { bestByHand, efficiencyByHand, HALF_DAY, returnsByHand, walkForwardByHand } from './by-hand.ts'

const follower = defineStrategy({
  name: 'follower',
  parameters: { lag: integer({ default: 5, min: 1, max: 100, description: 'Klines back.' }) },
  history: ({ lag }) => lag + 1,
  warmUp: ({ lag }) => lag,
  onKline: ({ close }, { history }) => (close > (history[0]?.close ?? close) ? enterLong() : exit()),
})

const LAGS = [2, 5, 9, 20]
const SETS: readonly ParameterSet[] = LAGS.map(lag => ({ lag }))

/** A kline that stands still. */
const flat = (price: number): Row => [price, price, price, price]

function halfDays(seed: number, count: number): KlineColumns {
  const klines = klinesOf(randomRows(seed, count))
  return { ...klines, openTime: klines.openTime.map((_time, row) => row * HALF_DAY) }
}

function runnerOn(klines: KlineColumns, base = 1): TrialRunner {
  const taker = { maker: rateOf('0.001'), taker: rateOf('0.001'), paidIn: 'quote' } as const
  const backtest: BacktestOptions = {
    ...backtestOn(klines, follower, { ...MARGIN, fees: taker }, { slippageRate: 0 }),
    interval: '12h',
    size: { base },
    closeAtEnd: 'lastClose',
  }
  return {
    run: (sets, span) => Promise.resolve(atOnce(resumableTrials({ backtest, riskFreeRate: 0 }, sets, span))),
    close: () => Promise.resolve(),
  }
}

/** Chooses the highest daily Sharpe ratio of all sets. */
function searchOf(runner: TrialRunner): SpanSearch {
  return async span => {
    const trials = await runner.run(SETS, span)
    const finished = trials.filter((trial): trial is FinishedTrial => trial.outcome === 'finished')
    const [best] = finished.toSorted(
      (left, right) => (right.figures.sharpe ?? -99) - (left.figures.sharpe ?? -99),
    )
    return { trials, best }
  }
}

describe('a walk-forward', () => {
  it.each([
    { seed: 3, train: 81, test: 31, purge: 3, embargo: 0, isAnchored: false },
    { seed: 4, train: 70, test: 25, purge: 0, embargo: 2, isAnchored: true },
  ])('on 200 klines is the one worked out by hand: %j', async ({ seed, ...plan }) => {
    const klines = halfDays(seed, 200)
    const runner = runnerOn(klines)
    const windows = walkForwardWindows({ rows: 200, ...plan })
    const done: number[] = []
    const found = await walkForward({
      data: { klines, interval: '12h' },
      ...{ windows, runner, search: searchOf(runner), onWindow: count => done.push(count) },
    })
    const byHand = walkForwardByHand(klines, plan, LAGS)
    expect(found.windows.map(({ chosen }) => chosen)).toEqual(byHand.windows.map(({ lag }) => ({ lag })))
    expect(new Set(byHand.windows.map(({ lag }) => lag)).size).toBeGreaterThan(1)
    expect(done).toEqual(windows.map((_, index) => index + 1))
    const { firstDay, returns } = found.stitched
    expect([...returns.keys()].map(index => firstDay + index)).toEqual([...byHand.returns.keys()])
    for (const [index, value] of [...byHand.returns.values()].entries()) {
      expect(returns[index]).toBeCloseTo(value, 12)
    }
    const efficiency = walkForwardEfficiency(
      found.windows.map(({ inSample, outOfSample }) => ({
        inSample: inSample.returns,
        outOfSample: outOfSample.returns,
      })),
    )
    const left = efficiencyByHand(byHand.windows)
    if (left === undefined) expect(efficiency.reason).toMatch(/earned nothing/)
    else expect(efficiency.value).toBeCloseTo(left, 9)
  })

  it('stays in cash where no parameters have a score', async () => {
    const klines = halfDays(3, 120)
    const runner = runnerOn(klines)
    const windows = walkForwardWindows({ rows: 120, train: 80, test: 40 })
    const search: SpanSearch = async span => ({ trials: await runner.run(SETS, span), best: undefined })
    const found = await walkForward({ data: { klines, interval: '12h' }, windows, runner, search })
    expect(found.windows[0]).toMatchObject({ chosen: undefined, roundTrips: 0, tried: 4 })
    expect([...found.stitched.returns]).toEqual(new Array(20).fill(0))
  })

  it('has lost everything after a test that ruins, and a return of 0 on the days left of it', async () => {
    // A rise of 0.1 a kline is bought; in the second of two tests it falls to a tenth.
    const rows = Array.from({ length: 80 }, (_, row) => flat(row < 70 ? 100 + row / 10 : 10))
    const klines = { ...klinesOf(rows), openTime: Float64Array.from(rows, (_, row) => row * HALF_DAY) }
    const runner = runnerOn(klines, 200)
    const windows = walkForwardWindows({ rows: 80, train: 40, test: 20 })
    const data = { klines, interval: '12h' } as const
    const { stitched } = await walkForward({ data, windows, runner, search: searchOf(runner) })
    // Days 20 to 39; the fall is on day 35.
    expect([...stitched.returns.subarray(15)]).toEqual([-1, 0, 0, 0, 0])
    expect(totalReturn(stitched.returns)).toBe(-1)
  })

  it('is refused where no parameters can be played, with the reason', async () => {
    const klines = halfDays(3, 120)
    const runner = runnerOn(klines)
    const windows = walkForwardWindows({ rows: 120, train: 80, test: 40 })
    const search: SpanSearch = async span => ({
      trials: await runner.run([{ lag: 90 }], span),
      best: undefined,
    })
    await expect(walkForward({ data: { klines, interval: '12h' }, windows, runner, search })).rejects.toThrow(
      /None of 1 parameter sets can be played on the training from 1970-01-01.*decides nothing before it has seen 90 klines/,
    )
  })
})

describe('combinatorial splits', () => {
  it('choose by all training rows, and test every fold once on each path', async () => {
    const klines = halfDays(5, 160)
    const splits = combinatorialSplits({ rows: 160, folds: 4, testFolds: 1, purge: 2, embargo: 4 })
    const data = { klines, interval: '12h' } as const
    const { chosen, paths } = await combinatorialTest({ data, splits, sets: SETS, runner: runnerOn(klines) })
    // By hand: fold of 40 rows; the first split trains on rows 46 to 160, the last on 0 to 118, both in one piece.
    expect(chosen[0]).toEqual({ lag: bestByHand(klines, 46, 160, LAGS) })
    expect(chosen[3]).toEqual({ lag: bestByHand(klines, 0, 118, LAGS) })
    // One path of all four folds; its first days are those of the first fold.
    expect(paths).toHaveLength(1)
    expect(paths[0]).toMatchObject({ firstDay: 0 })
    expect(paths[0]?.returns).toHaveLength(80)
    const first = [...returnsByHand(klines, 0, 40, chosen[0]?.lag as number).values()]
    first.forEach((value, day) => {
      expect(paths[0]?.returns[day]).toBeCloseTo(value, 12)
    })
  })

  it('are refused where a split has nothing to train on', async () => {
    const klines = halfDays(5, 120)
    const splits = combinatorialSplits({ rows: 120, folds: 3, testFolds: 2, purge: 20, embargo: 0 })
    const data = { klines, interval: '12h' } as const
    const run = combinatorialTest({ data, splits, sets: SETS, runner: runnerOn(klines) })
    await expect(run).rejects.toThrow(/leave a split nothing to train on/)
  })
})
