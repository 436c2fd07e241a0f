import { describe, expect, it } from 'vitest'
import type { BacktestOptions } from '../../../backtest/run/backtest-options.ts'
import { atOnce } from '../../../backtest/run/resumable.ts'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import { missingEntries } from '../../../backtest/stress/missed-entries.ts'
import { noisyKlines } from '../../../backtest/stress/noisy-klines.ts'
import {
  atDoubleCosts,
  hasCosts,
  oneKlineLater,
  onWorstPath,
  stressScenarios,
} from '../../../backtest/stress/stress-scenarios.ts'
import { stressTest } from '../../../backtest/stress/stress-test.ts'
import { resumableTrials } from '../../../backtest/trials/resumable-trials.ts'
import type { FinishedTrial } from '../../../backtest/trials/trial.ts'
import { rateOf } from '../../../src/domain/numbers/amount.ts'
import { defineStrategy, enterLong, exit } from '../../../src/strategy/index.ts'
import smaCross from '../../../strategies/sma-cross.ts'
import { MARGIN, SPOT } from '../../engine/engine-session.ts'
import { backtestOn, bidder, hourly } from '../trials/trial-market.ts'

/** Buys one coin on kline 1 and sells it on kline 3. */
const once = defineStrategy({
  name: 'once',
  state: () => ({ row: 0 }),
  onKline(_kline, { state }) {
    state.row++
    if (state.row === 2) return enterLong({ size: { base: 1 } })
    if (state.row === 4) return exit()
  },
})

const fees = { maker: rateOf('0.001'), taker: rateOf('0.002'), paidIn: 'quote' } as const

/** Opens 100, 101, … 109; everything of a kline is at its open. */
function ascending(): BacktestOptions {
  const klines = hourly(1, 10)
  const price = klines.open.map((_, row) => 100 + row)
  const flat = { ...klines, open: price, high: price, low: price, close: price }
  return backtestOn(flat, once, { ...MARGIN, fees }, { slippageRate: 0, slippageTicks: 10 })
}

const lastEquity = (options: BacktestOptions) => runBacktest(options).equity.at(-1)

describe('stress', () => {
  it('doubles fees and slippage', () => {
    // Bought at 102 + 0.10, sold at 104 - 0.10, with 0.2% of each.
    expect(lastEquity(ascending())).toBeCloseTo(10_000 + 103.9 - 102.1 - 0.002 * (103.9 + 102.1), 9)
    expect(lastEquity(atDoubleCosts(ascending()))).toBeCloseTo(
      10_000 + 103.8 - 102.2 - 0.004 * (103.8 + 102.2),
      9,
    )
    const { instrument, fills } = atDoubleCosts({
      ...ascending(),
      instrument: { ...MARGIN, fees: { ...fees, maker: rateOf('-0.0001') } },
      fills: {
        ...ascending().fills,
        spreadTicks: 3,
        spreadRate: 0.001,
        volumeImpact: 0.1,
        slippageRate: 0.01,
      },
    })
    expect(instrument.fees).toEqual({ ...fees, maker: rateOf('-0.0001'), taker: rateOf('0.004') })
    expect(fills).toMatchObject({
      ...{ spreadTicks: 6, spreadRate: 0.002, volumeImpact: 0.2, slippageRate: 0.02, slippageTicks: 20 },
    })
  })

  it('knows whether there are costs to double', () => {
    const free = { ...ascending(), instrument: MARGIN, fills: { ...ascending().fills, slippageTicks: 0 } }
    const rebate = { ...fees, maker: rateOf('-0.0001'), taker: rateOf('0') }
    const titleOf = (options: BacktestOptions) =>
      stressScenarios(options, {
        ...{ missedShare: 0, noiseShare: 0, repeats: 0, seed: 'a', neighbours: [], others: [] },
      })[0]?.title
    expect([hasCosts(free), titleOf(free)]).toEqual([false, 'double fees and slippage (there are none)'])
    expect(hasCosts({ ...free, instrument: { ...MARGIN, fees: rebate } })).toBe(false)
    expect(hasCosts({ ...free, fills: { ...free.fills, slippageTicks: 1 } })).toBe(true)
    const costly = { ...free, instrument: { ...MARGIN, fees } }
    expect([hasCosts(costly), titleOf(costly)]).toEqual([true, 'double fees and slippage'])
    const role = { instrument: { ...MARGIN, fees }, klines: free.klines }
    expect(hasCosts({ ...free, roles: { hedge: role } })).toBe(true)
  })

  it('lets every order go live one kline later', () => {
    // Bought at 103, sold at 105.
    const late = oneKlineLater(ascending())
    expect(lastEquity(late)).toBeCloseTo(10_000 + 104.9 - 103.1 - 0.002 * (104.9 + 103.1), 9)
    expect(runBacktest(late).fills.map(({ time }) => time / 3_600_000)).toEqual([3, 5])
  })

  it('takes the worst path, whatever path was asked for', () => {
    const options = backtestOn(hourly(3, 300), bidder, SPOT, { path: 'optimistic' })
    const pessimistic = backtestOn(hourly(3, 300), bidder, SPOT, { path: 'pessimistic' })
    expect(lastEquity(onWorstPath(options))).toBe(lastEquity(pessimistic))
    expect(lastEquity(options)).toBeGreaterThan(lastEquity(pessimistic) as number)
  })

  it('misses a share of the entries by seed, and no exit', () => {
    const eager = defineStrategy({
      name: 'eager',
      onKline: (_kline, { position }) => (position.direction === 'flat' ? enterLong() : exit()),
    })
    const entriesAt = (share: number, seed = 'a') => {
      const strategy = missingEntries(eager, { share, seed })
      const { fills, roundTrips } = runBacktest(backtestOn(hourly(2, 2001), strategy, SPOT))
      expect(fills.length - 2 * roundTrips.length).toBeLessThan(2)
      return roundTrips.length
    }
    expect(entriesAt(0)).toBe(1000)
    expect(entriesAt(1)).toBe(0)
    // A trip takes two klines, and on average one more for each miss: 2,000 ÷ (2 + 1/3) for a quarter missed.
    expect(entriesAt(0.25)).toBeGreaterThan(820)
    expect(entriesAt(0.25)).toBeLessThan(895)
    expect(entriesAt(0.25)).toBe(entriesAt(0.25))
    expect(entriesAt(0.25, 'b')).not.toBe(entriesAt(0.25))
  })

  it('counts what was missed, and what the strategy asked for again at the next kline', async () => {
    // Asks at every kline until it is in, so that each miss is asked again; the other one asks once and is never in.
    const patient = defineStrategy({
      name: 'patient',
      onKline: (_kline, { position }) => (position.direction === 'flat' ? enterLong() : exit()),
    })
    const remarksOf = async (strategy: typeof once, missedShare: number) => {
      const plan = { missedShare, noiseShare: 0, repeats: 1, seed: 'a', neighbours: [], others: [] }
      const scenarios = stressScenarios(backtestOn(hourly(2, 101), strategy, MARGIN), plan)
      const rows = await stressTest(
        scenarios.filter(({ key }) => key === 'missedEntries'),
        {},
        of => ({
          run: (sets, span) =>
            Promise.resolve(atOnce(resumableTrials({ backtest: of, riskFreeRate: 0 }, sets, span))),
          close: () => Promise.resolve(),
        }),
      )
      return rows.map(({ title }) => title)
    }
    // All 101 klines ask; the last one has none after it.
    expect(await remarksOf(patient as typeof once, 1)).toEqual([
      '100% of entries missed, draw 1: 101 missed, 100 of them asked again at once',
    ])
    expect(await remarksOf(once, 1)).toEqual([
      '100% of entries missed, draw 1: 1 missed, 0 of them asked again at once',
    ])
    expect(await remarksOf(once, 0)).toEqual([
      '0% of entries missed, draw 1: 0 missed, 0 of them asked again at once',
    ])
  })

  it('moves prices by noise of a known size, on the grid, each kline whole', () => {
    const klines = hourly(4, 2000)
    const { open, high, low, close, openTime } = noisyKlines(klines, SPOT, { share: 0.25, seed: 'n' })
    expect(openTime).toEqual(klines.openTime)
    let [squares, range] = [0, 0]
    close.forEach((price, row) => {
      expect(Math.round(price * 100) / 100).toBe(price)
      expect(low[row]).toBeLessThanOrEqual(Math.min(price, open[row] as number))
      expect(high[row]).toBeGreaterThanOrEqual(Math.max(price, open[row] as number))
      squares += (price / (klines.close[row] as number) - 1) ** 2
      range += ((klines.high[row] as number) - (klines.low[row] as number)) / (klines.close[row] as number)
    })
    // The deviation of 2,000 draws is known within 5%.
    expect(Math.sqrt(squares / 2000) / (range / 2000) / 0.25).toBeCloseTo(1, 1)
    // An open moves with the close before it: a gap of 0 stays one but for rounding.
    const gapless = {
      ...klines,
      open: klines.open.map((_, row) => klines.close[Math.max(0, row - 1)] as number),
    }
    const moved = noisyKlines(gapless, SPOT, { share: 0.25, seed: 'n' })
    for (let row = 1; row < 2000; row++) expect(moved.open[row]).toBe(moved.close[row - 1])
  })

  it('has a row for each scenario of the plan, with what each of them made', async () => {
    const backtest = backtestOn(hourly(5, 400), smaCross, SPOT)
    const judged = { fast: 3, slow: 20 }
    const plan = {
      ...{ missedShare: 0.1, noiseShare: 0.1, repeats: 2, seed: 'plan' },
      neighbours: [
        { fast: 4, slow: 20 },
        { fast: 30, slow: 20 },
      ],
      others: [{ name: 'other data', backtest: backtestOn(hourly(6, 400), smaCross, SPOT) }],
    }
    let closed = 0
    const rows = await stressTest(stressScenarios(backtest, plan), judged, of => ({
      run: (sets, span) =>
        Promise.resolve(atOnce(resumableTrials({ backtest: of, riskFreeRate: 0 }, sets, span))),
      close: () => {
        closed++
        return Promise.resolve()
      },
    }))
    expect(
      rows.map(
        ({ title, trial }) =>
          `${title.replace(/: \d+ missed, \d+ of them asked again at once$/, ' *')}: ${trial.outcome}`,
      ),
    ).toEqual([
      'double fees and slippage: finished',
      'orders one kline later: finished',
      'worst path inside each kline: finished',
      '10% of entries missed, draw 1 *: finished',
      '10% of entries missed, draw 2 *: finished',
      "prices moved by 10% of a kline's range, draw 1: finished",
      "prices moved by 10% of a kline's range, draw 2: finished",
      'parameters fast=4 slow=20: finished',
      'parameters fast=30 slow=20: refused',
      'first half of the klines: finished',
      'second half of the klines: finished',
      'on other data: finished',
    ])
    expect(closed).toBe(rows.length)
    const profits = rows.map(({ trial }) => (trial as FinishedTrial).figures?.netProfit)
    expect(new Set(profits).size).toBe(rows.length)
    expect((lastEquity({ ...backtest, parameters: judged }) as number) - 10_000).toBe(profits[2])
  })
})
