import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { numberOf } from '../../../backtest/metrics/metric.ts'
import { metricsOf } from '../../../backtest/metrics/metrics.ts'
import type { BacktestOptions } from '../../../backtest/run/backtest-options.ts'
import { atOnce } from '../../../backtest/run/resumable.ts'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import { resumableTrials } from '../../../backtest/trials/resumable-trials.ts'
import {
  type FinishedTrial,
  type ParameterSet,
  TRIAL_FIGURES,
  type Trial,
  type TrialRunner,
} from '../../../backtest/trials/trial.ts'
import { longestHolding } from '../../../backtest/walk-forward/window-plan.ts'
import { rememberedTrials } from '../../../src/cli/research/remembered-trials.ts'
import { sliceRows, type TimeSpan } from '../../../src/klines/slice-klines.ts'
import {
  choice,
  defineStrategy,
  enterLong,
  enterShort,
  exit,
  integer,
  sma,
} from '../../../src/strategy/index.ts'
import { StudyFile } from '../../../src/studies/study-file.ts'
import smaCross from '../../../strategies/sma-cross.ts'
import { MARGIN, SPOT, scripted } from '../../engine/engine-session.ts'
import { anyFillSettings, anySeed, randomSignals } from '../random-market.ts'
import { backtestOn, bidder, hourly } from './trial-market.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const RISK_FREE = 0.03

function trialsOf(
  backtest: BacktestOptions,
  sets: readonly ParameterSet[],
  span?: TimeSpan,
): readonly Trial[] {
  return atOnce(resumableTrials({ backtest, riskFreeRate: RISK_FREE }, sets, span))
}

/** The figures that a report shows of the same parameters. */
function reportedFigures(backtest: BacktestOptions, parameters: ParameterSet) {
  const options = { ...backtest, parameters }
  const { equityTime: time, equity, roundTrips, fills, openPositions } = runBacktest(options)
  const { instrument, interval, klines } = options
  const { figures } = metricsOf({
    curve: { startTime: klines.openTime[0] as number, startEquity: 10_000, time, equity },
    markets: [{ instrument, interval, klines }],
    ...{ roundTrips, fills, openPositions, riskFreeRate: RISK_FREE },
  })
  return Object.fromEntries(TRIAL_FIGURES.map(name => [name, numberOf(figures[name])]))
}

/** Returns of the days of a curve of hours, worked out from the closes at midnight. */
function returnsByHand(backtest: BacktestOptions, parameters: ParameterSet): number[] {
  const { equity } = runBacktest({ ...backtest, parameters })
  const returns: number[] = []
  let before = 10_000
  for (let row = 0; row < equity.length; row += 24) {
    const worth = equity[Math.min(row + 23, equity.length - 1)] as number
    returns.push(before > 0 ? worth / before - 1 : 0)
    before = worth
  }
  return returns
}

const pairs = [
  { fast: 2, slow: 9 },
  { fast: 3, slow: 9 },
  { fast: 2, slow: 20 },
  { fast: 5, slow: 50 },
]

describe('trials in one process', () => {
  it.each([
    ['averages', smaCross, SPOT, pairs],
    [
      'limit entries with brackets',
      bidder,
      SPOT,
      [{ klines: 5 }, { klines: 5, distance: 0.01 }, { klines: 30 }],
    ],
    ['everything a strategy can say', randomSignals, MARGIN, [{ seed: 1 }, { seed: 2 }, { seed: 3 }]],
  ] as const)('have the figures that backtests report: %s', (_, strategy, instrument, sets) => {
    fc.assert(
      fc.property(anySeed, anyFillSettings, (seed, fills) => {
        const backtest = backtestOn(hourly(seed, 900), strategy, instrument, fills)
        const trials = trialsOf(backtest, sets)
        trials.forEach((trial, index) => {
          const parameters = sets[index] as ParameterSet
          expect(trial).toMatchObject({ outcome: 'finished', parameters, firstDay: 0 })
          const { figures, dailyReturns } = trial as FinishedTrial
          expect(figures).toEqual(reportedFigures(backtest, parameters))
          expect([...dailyReturns]).toEqual(returnsByHand(backtest, parameters))
        })
      }),
      { numRuns: 2 },
    )
  })

  it('have them also where other data act between its klines', () => {
    const withFeed = defineStrategy({
      name: 'with-feed',
      parameters: { period: integer({ default: 3, min: 1, max: 50, description: 'Klines in the average.' }) },
      feeds: () => ({ own: { type: 'klines' } }) as const,
      indicators: ({ period }) => ({ average: sma(period) }),
      onKline: ({ close }, { indicators: { average }, position }) => {
        if (position.direction === 'flat') return close > average.value ? enterLong() : undefined
        return close < average.value ? exit() : undefined
      },
    })
    const backtest = backtestOn(hourly(3, 1200), withFeed, SPOT)
    for (const period of [3, 20]) {
      const [trial] = trialsOf(backtest, [{ period }])
      expect((trial as FinishedTrial).figures).toEqual(reportedFigures(backtest, { period }))
      expect([...(trial as FinishedTrial).dailyReturns]).toEqual(returnsByHand(backtest, { period }))
    }
  })

  it.each([
    ['alone', {}],
    ['beside a feed', { own: { type: 'klines' } }],
  ] as const)('have them also of an account that is ruined, on all days: %s', (_, feeds) => {
    const klines = hourly(5, 1200)
    const rising = (column: Float64Array) => column.map((price, row) => price * (1 + row / 200))
    const { open, high, low, close } = klines
    const up = { ...klines, open: rising(open), high: rising(high), low: rising(low), close: rising(close) }
    const short = defineStrategy({
      name: 'short',
      parameters: { at: integer({ default: 5, min: 0, max: 9, description: 'Kline that it sells on.' }) },
      feeds: () => feeds,
      onKline: ({ openTime }, { parameters: { at } }) =>
        openTime === at * HOUR ? enterShort({ size: { equityFraction: 0.95 } }) : undefined,
    })
    const backtest = backtestOn(up, short, MARGIN)
    expect(runBacktest({ ...backtest, parameters: { at: 5 } }).ruined).toBe(true)
    const trials = trialsOf(backtest, [{ at: 5 }, { at: 9 }, { at: 5 }])
    for (const trial of trials) {
      expect((trial as FinishedTrial).figures).toEqual(reportedFigures(backtest, trial.parameters))
      expect([...(trial as FinishedTrial).dailyReturns]).toEqual(returnsByHand(backtest, trial.parameters))
      expect((trial as FinishedTrial).dailyReturns).toHaveLength(1200 / 24)
    }
  })

  it('does not depend on which trials are run together', () => {
    const backtest = backtestOn(hourly(7, 2500), smaCross, SPOT)
    const together = trialsOf(backtest, pairs)
    expect(together).toEqual(pairs.flatMap(pair => trialsOf(backtest, [pair])))
  })

  it('plays fewer together where they are slow, so that the first ones are known sooner', () => {
    const klines = 2500
    const backtest = backtestOn(hourly(7, klines), smaCross, SPOT)
    // The third and the last one are refused.
    const sets = Array.from({ length: 8 }, (_, index) => ({
      ...{ fast: 2 + index, slow: index === 2 || index === 7 ? 1 : 30 + index },
    }))
    /** Plays at so many ms a kline; when each trial was known, in order, by its place. */
    const knownAt = (msPerKline: number) => {
      const known: [index: number, atMs: number][] = []
      let [nowMs, tookMs] = [0, undefined as number | undefined]
      const work = resumableTrials({ backtest, riskFreeRate: RISK_FREE }, sets, undefined, (_, index) =>
        known.push([index, nowMs]),
      )
      for (;;) {
        const step = tookMs === undefined ? work.next() : work.next(tookMs)
        if (step.done === true) return { known, trials: step.value }
        tookMs = msPerKline * step.value
        nowMs += tookMs
      }
    }
    const [quick, slow] = [knownAt(0.01), knownAt(2)]
    expect(slow.trials).toEqual(quick.trials)
    expect(quick.trials).toEqual(trialsOf(backtest, sets))
    for (const { known } of [quick, slow])
      expect(known.map(([index]) => index).sort((left, right) => left - right)).toEqual([...sets.keys()])
    const finishedOf = ({ known }: typeof quick) => known.filter(([index]) => index !== 2 && index !== 7)
    // Each pauses after 8, 1,032 and 2,056 klines, and its last 444 end it without a pause: 6 × 2,056 × 0.01 ms = 123.36 ms.
    expect(new Set(finishedOf(quick).map(([, at]) => Math.round(at)))).toEqual(new Set([123]))
    // After 6 × 1,032 × 2 ms it is known that a trial takes 5,000, so that 20,000 ÷ 5,000 = 4 go on by 1,024 klines each.
    const first = 2 * (6 * 1032 + 4 * 1024)
    expect(
      finishedOf(slow)
        .filter(([, at]) => at === first)
        .map(([index]) => index),
    ).toEqual([0, 1, 3, 4])
    // The other two begin anew.
    expect(finishedOf(slow).slice(4)).toEqual([5, 6].map(index => [index, first + 2 * 2 * 2056]))
  })

  it('says why a strategy refuses parameters, and goes on', () => {
    const backtest = backtestOn(hourly(1, 100), smaCross, SPOT)
    const trials = trialsOf(backtest, [
      { fast: 9, slow: 3 },
      { fast: 2.5 },
      { fast: 2, slow: 500 },
      pairs[0] as ParameterSet,
    ])
    expect(trials).toMatchObject([
      {
        outcome: 'refused',
        parameters: { fast: 9, slow: 3 },
        problem: 'Strategy "sma-cross" cannot use these parameters: fast (9) must be smaller than slow (3).',
      },
      {
        outcome: 'refused',
        problem:
          'Parameter "fast" of strategy "sma-cross" is 2.5, but must be a whole number from 1 to 5000.',
      },
      {
        outcome: 'refused',
        problem:
          'Strategy "sma-cross" decides nothing before it has seen 500 klines, and there are 100; give a longer period.',
      },
      { outcome: 'finished', parameters: pairs[0], warmUp: 9 },
    ])
  })

  it('refuses parameters with feeds of which there are no data', () => {
    const withFeed = defineStrategy({
      name: 'with-feed',
      parameters: {
        length: choice({ default: '4h', options: ['4h', '1d'], description: 'Interval of the feed.' }),
      },
      feeds: ({ length }) => ({ slow: { type: 'klines', interval: length } }) as const,
      onKline: () => undefined,
    })
    const klines = hourly(1, 200)
    const backtest = {
      ...backtestOn(klines, withFeed, SPOT),
      feeds: { slow: { type: 'klines', klines: sliceRows(klines, 0, 0) } as const },
    }
    expect(trialsOf(backtest, [{ length: '1d' }])).toMatchObject([
      {
        outcome: 'refused',
        problem:
          'Strategy "with-feed" follows other feeds with these parameters than with those that data were read for; search its feeds one by one.',
      },
    ])
  })

  it('says where a strategy failed, and goes on', () => {
    const failing = defineStrategy({
      name: 'failing',
      parameters: { at: integer({ default: 0, min: 0, max: 1000, description: 'Kline that it fails on.' }) },
      onKline({ openTime }, { parameters: { at } }) {
        if (openTime === at * HOUR) throw new Error('no more')
      },
    })
    const [failed, finished] = trialsOf(backtestOn(hourly(1, 100), failing, SPOT), [{ at: 50 }, { at: 1000 }])
    expect(failed).toMatchObject({ outcome: 'failed', parameters: { at: 50 } })
    expect((failed as { problem: string }).problem).toContain('no more')
    expect(finished).toMatchObject({ outcome: 'finished' })
  })
})

describe('a position that is open at the end', () => {
  const backtest = backtestOn(hourly(1, 12), scripted({ 0: enterLong(), 1: exit(), 3: enterLong() }), SPOT)

  it('is held to the last close', () => {
    // Bought at the open of row 1 and of row 4, sold at that of row 2; the last close is 12 h.
    const [open] = trialsOf(backtest, [{}]) as [FinishedTrial]
    expect(open).toMatchObject({ openForMs: 8 * HOUR, figures: { longestDurationMs: HOUR, roundTrips: 1 } })
    expect(longestHolding([open], '1h')).toBe(8)
    const [closed] = trialsOf({ ...backtest, closeAtEnd: 'lastClose' }, [{}]) as [FinishedTrial]
    expect(closed).not.toHaveProperty('openForMs')
    expect(longestHolding([closed], '1h')).toBe(8)
  })

  it('is so of a trial that a study knows as well', async () => {
    const study = new StudyFile(':memory:')
    const ran: number[] = []
    const runner: TrialRunner = {
      run: async (sets, span, onTrial = () => {}) => {
        ran.push(sets.length)
        const trials = trialsOf(backtest, sets, span)
        trials.forEach(onTrial)
        return trials
      },
      close: async () => {},
    }
    const identity = {
      ...{ strategy: 'scripted', symbol: 'BTC/USDT', interval: '1h', code: 'c', data: 'd', config: 'f' },
      ...{ from: 0, to: 12 * HOUR, isSpan: false },
    }
    const remembered = rememberedTrials({ runner, study, backtest, identityOf: () => identity })
    const first = await remembered.run([{}])
    expect(await remembered.run([{}])).toEqual(first)
    expect(first).toMatchObject([{ openForMs: 8 * HOUR }])
    expect(ran).toEqual([1])
    study.close()
  })
})

describe('trials of a span', () => {
  const klines = hourly(11, 2000)

  it('decide within it, warmed up by the klines before it', () => {
    const span = { from: 20 * DAY, to: 60 * DAY }
    const set = { fast: 3, slow: 50 }
    const [trial] = trialsOf(backtestOn(klines, smaCross, SPOT), [set], span)
    // Fifty klines before the first decision, worked out apart.
    const warm = backtestOn(sliceRows(klines, 20 * 24 - 50, 60 * 24), smaCross, SPOT)
    const { equity, fills } = runBacktest({ ...warm, parameters: set })
    expect(fills[0]?.time).toBeGreaterThanOrEqual(span.from)
    expect(trial).toMatchObject({ firstDay: 20, warmUp: 50, figures: { fills: fills.length } })
    const { figures, dailyReturns } = trial as FinishedTrial
    expect(dailyReturns).toHaveLength(40)
    expect(figures.netProfit).toBe((equity.at(-1) as number) - 10_000)
    expect(dailyReturns[0]).toBe((equity[50 + 23] as number) / 10_000 - 1)
    expect(dailyReturns[39]).toBe((equity[50 + 959] as number) / (equity[50 + 935] as number) - 1)
  })

  it('decides on its first kline', () => {
    const eager = defineStrategy({
      name: 'eager',
      indicators: () => ({ average: sma(30) }),
      onKline: (_kline, { position }) => (position.direction === 'flat' ? enterLong() : exit()),
    })
    const [trial] = trialsOf(backtestOn(klines, eager, SPOT), [{}], { from: 5 * DAY, to: 6 * DAY })
    // It decides at each of 24 closes; the last decision has no open to trade at.
    expect(trial).toMatchObject({ figures: { fills: 23 } })
  })

  it('shows no kline after its end', () => {
    const span = { from: 10 * DAY, to: 40 * DAY }
    const changed = {
      ...klines,
      close: klines.close.map((close, row) => (row < 40 * 24 ? close : close * 3)),
      open: klines.open.map((open, row) => (row < 40 * 24 ? open : open * 3)),
      high: klines.high.map((high, row) => (row < 40 * 24 ? high : high * 3)),
      low: klines.low.map((low, row) => (row < 40 * 24 ? low : low * 3)),
    }
    const of = (columns: typeof klines) =>
      trialsOf(backtestOn(columns, randomSignals, MARGIN), [{ seed: 5 }], span)
    expect(of(changed)).toEqual(of(klines))
  })

  it('begins with what there is where the data begin too late to warm up', () => {
    const [trial] = trialsOf(backtestOn(klines, smaCross, SPOT), [{ fast: 2, slow: 48 }], { to: 4 * DAY })
    const short = backtestOn(sliceRows(klines, 0, 96), smaCross, SPOT)
    const { fills } = runBacktest({ ...short, parameters: { fast: 2, slow: 48 } })
    expect(trial).toMatchObject({ firstDay: 0, figures: { fills: fills.length } })
  })

  it('is refused where no kline opens in it', () => {
    expect(() => trialsOf(backtestOn(klines, smaCross, SPOT), pairs, { from: 900 * DAY })).toThrow(
      'No kline opens from 1972-06-19T00:00:00.000Z; there are those from 1970-01-01T00:00:00.000Z to 1970-03-25T07:00:00.000Z.',
    )
  })
})
