import { describe, expect, it } from 'vitest'
import type { BacktestOptions } from '../../../backtest/run/backtest-options.ts'
import { searchedParameters } from '../../../backtest/search/searched-parameters.ts'
import type { DailyTrial } from '../../../backtest/trials/common-days.ts'
import { type JudgeDone, runJudge } from '../../../src/cli/research/judge-run.ts'
import { processTrials } from '../../../src/cli/research/process-trials.ts'
import { verdictSummary } from '../../../src/cli/research/verdict-summary.ts'
import { DEFAULT_VERDICT } from '../../../src/config/verdict-field.ts'
import { rateOf } from '../../../src/domain/numbers/amount.ts'
import { seededRandom } from '../../../src/domain/numbers/seeded-random.ts'
import { emptyColumns, type KlineColumns } from '../../../src/klines/kline-columns.ts'
import { criterionResult, verdictOf } from '../../../src/research/verdict/criterion.ts'
import { totalReturn } from '../../../src/research/walk-forward/daily-record.ts'
import type { Strategy } from '../../../src/strategy/define-strategy.ts'
import { defineStrategy, enterLong, integer } from '../../../src/strategy/index.ts'
import smaCross from '../../../strategies/sma-cross.ts'
import { SPOT } from '../../engine/engine-session.ts'
import { backtestOn } from '../trials/trial-market.ts'

const [ROWS, DAY] = [1500, 86_400_000]

/** Days of normal returns of 2%, which lean by `drift` towards the last ten days' move, and rise by `rise`. */
function days(seed: number, drift: (row: number) => number, rise = 0): KlineColumns {
  const { normal } = seededRandom(`judge ${seed}`)
  const klines = emptyColumns(ROWS)
  const log = [0]
  for (let row = 0; row < ROWS; row++) {
    const lean = row < 10 ? 0 : drift(row) * Math.sign((log[row] as number) - (log[row - 10] as number))
    const now = (log[row] as number) + 0.02 * normal() + lean + rise - 0.0002
    log.push(now)
    const [open, close] = [1000 * Math.exp(log[row] as number), 1000 * Math.exp(now)].map(
      price => Math.round(price * 100) / 100,
    ) as [number, number]
    klines.openTime[row] = row * DAY
    klines.open[row] = open
    klines.close[row] = close
    klines.high[row] = Math.max(open, close)
    klines.low[row] = Math.min(open, close)
    klines.volume[row] = 1e9
  }
  return klines
}

async function judged(
  klines: KlineColumns,
  grid: Readonly<Record<string, string>> = { fast: '1:5:2', slow: '6:18:4' },
  earlier: readonly DailyTrial[] = [],
  strategy: Strategy = smaCross,
  changes: Partial<BacktestOptions> = {},
): Promise<JudgeDone> {
  const { windows, missedShare, noiseShare, repeats: _, ...settings } = DEFAULT_VERDICT
  const backtest = {
    ...backtestOn(klines, strategy, SPOT),
    interval: '1d' as const,
    size: { equityFraction: 0.95 },
    ...changes,
  }
  return runJudge({
    backtest,
    runnerOf: of => processTrials({ backtest: of, riskFreeRate: 0 }),
    search: {
      parameters: searchedParameters(strategy, grid),
      ...{ sampler: 'grid', seed: 1, trials: 100 },
      score: ({ figures: { sharpe } }) => sharpe ?? undefined,
    },
    earlier: () => earlier,
    asked: { windows, embargo: 0, isAnchored: false },
    ...{ settings, stress: { missedShare, noiseShare, repeats: 1, others: [] }, seed: 1 },
  })
}

const resultsOf = ({ criteria }: JudgeDone) =>
  Object.fromEntries(criteria.map(one => [one.key, criterionResult(one)]))

/** Buys at a close and never sells. */
const holder = defineStrategy({
  name: 'holder',
  parameters: { wait: integer({ default: 1, min: 1, max: 9, description: 'Klines before it buys.' }) },
  state: () => ({ seen: 0 }),
  onKline: (_kline, { state, parameters: { wait } }) => (++state.seen === wait ? enterLong() : undefined),
})

describe('a verdict', () => {
  it('leaves out as many klines as a position that never closes is held, and has controls for it', async () => {
    const done = await judged(
      days(1, () => 0),
      { wait: '1:3:1' },
      [],
      holder,
    )
    // Of 1500 klines for 8 tests and a training of three, a test has 136; a position lasts longer than that.
    expect(done.walkForward.plan.purge).toBe(136)
    expect(done.tripReturns).toHaveLength(0)
    expect(done.controls.random.value?.p).toBeGreaterThan(0)
    expect(done.controls.shifted.value?.p).toBeGreaterThan(0)
  })

  it('is an edge on a trend that lasts, beside controls that know nothing', async () => {
    const done = await judged(days(1, () => 0.008))
    expect(resultsOf(done)).toMatchObject({ superiorAbility: 'passed', deflatedSharpe: 'passed' })
    expect(done.verdict).toBe('edge')
    expect(done.walkForward.windows).toHaveLength(8)
    expect(done.controls.random.value?.p).toBeLessThan(0.05)
    expect(done.controls.shifted.value?.p).toBeLessThan(0.05)
    expect(done.trials.daysNeeded.value).toBeLessThan(ROWS)
  })

  it('asks nothing of double costs where there are none, and warns of that', async () => {
    const fees = { ...SPOT.fees, maker: rateOf('0'), taker: rateOf('0') }
    const { fills } = backtestOn(
      days(1, () => 0),
      smaCross,
      SPOT,
    )
    const free = { instrument: { ...SPOT, fees }, fills: { ...fills, slippageRate: 0 } }
    const done = await judged(
      days(1, () => 0.008),
      undefined,
      [],
      smaCross,
      free,
    )
    const costs = done.criteria.find(({ key }) => key === 'doubleCosts')
    expect(costs?.figure.reason).toMatch(/^The backtest has no fees and no slippage/)
    expect(costs?.isWarning).toBe(true)
    expect(done.verdict).toBe('edge')
    expect(verdictSummary(done).next).toMatch(/^give the fees and the slippage of your exchange/)
  })

  it('is none on a trend that has ended, whatever the whole record says', async () => {
    const done = await judged(days(1, row => (row < 0.6 * ROWS ? 0.012 : 0)))
    expect(resultsOf(done)).toMatchObject({ superiorAbility: 'passed', deflatedSharpe: 'passed' })
    expect(resultsOf(done).newerEfficiency).not.toBe('passed')
    expect(done.verdict).not.toBe('edge')
  })

  it('is none on a market that only rises, which a rule that is in it at times is no better than', async () => {
    const timeless = ['alphaT', 'randomEntries', 'shiftedSignals']
    let promising = 0
    for (const seed of [1, 2]) {
      const done = await judged(days(seed, () => 0, 0.003))
      expect(done.verdict).not.toBe('edge')
      expect(totalReturn(done.judged.dailyReturns)).toBeGreaterThan(0.5)
      expect(totalReturn(done.market.all.returns)).toBeGreaterThan(totalReturn(done.judged.dailyReturns))
      if (verdictOf(done.criteria.filter(({ key }) => !timeless.includes(key))) === 'edge') promising++
    }
    expect(promising).toBeGreaterThan(0)
  })

  it('compares the tests to the market from the first open to the last close of each', async () => {
    const klines = days(1, () => 0.008)
    const { market, walkForward } = await judged(klines)
    const [first, last] = [
      walkForward.windows[0]?.test.from as number,
      walkForward.windows.at(-1)?.test.to as number,
    ]
    const [from, to] = [first / DAY, last / DAY - 1]
    expect(market.tests.firstDay).toBe(from)
    expect(market.tests.returns).toHaveLength(walkForward.stitched.returns.length)
    expect(market.tests.returns[0]).toBeCloseTo(
      (klines.close[from] as number) / (klines.open[from] as number) - 1,
      12,
    )
    expect(totalReturn(market.tests.returns)).toBeCloseTo(
      (klines.close[to] as number) / (klines.open[from] as number) - 1,
      2,
    )
    expect(totalReturn(market.all.returns)).toBeCloseTo(
      (klines.close[ROWS - 1] as number) / (klines.open[0] as number) - 1,
      9,
    )
  })

  it('counts the trials of a study with those of the search, each record once', async () => {
    const klines = days(2, () => 0.003)
    const alone = await judged(klines)
    const { normal } = seededRandom('earlier')
    const lucky = Array.from({ length: 40 }, (_, trial) => ({
      firstDay: 0,
      dailyReturns: Float64Array.from({ length: ROWS }, () => 0.01 * normal() + 0.0001 * (trial - 20)),
    }))
    // Played before a day was appended, and on more days than are judged.
    const before = { firstDay: 0, dailyReturns: Float64Array.from({ length: ROWS - 1 }, normal) }
    const more = { firstDay: -9, dailyReturns: Float64Array.from({ length: ROWS + 20 }, normal) }
    const counted = await judged(klines, undefined, [...lucky, alone.judged, before, more])
    expect(counted.trialCount).toBe(alone.trialCount + 42)
    const deflated = (done: JudgeDone) => done.trials.deflated.value?.probability.value as number
    expect(deflated(counted)).toBeLessThan(deflated(alone))
  })

  it('is undecided, with reasons, where nothing is traded', async () => {
    const still = days(3, () => 0)
    for (const column of [still.open, still.high, still.low, still.close]) column.fill(100)
    const done = await judged(still)
    expect(resultsOf(done)).toMatchObject({ superiorAbility: 'undefined', efficiency: 'undefined' })
    expect(done.verdict).not.toBe('edge')
    expect(done.controls.random.reason).toBe('The strategy held no position.')
  })

  it('is refused where no parameters can be played', async () => {
    await expect(
      judged(
        days(3, () => 0),
        { fast: '20', slow: '5:10:5' },
      ),
    ).rejects.toThrow(/None of 2 parameter sets can be played.*fast \(20\) must be smaller than slow \(5\)/)
  })
})
