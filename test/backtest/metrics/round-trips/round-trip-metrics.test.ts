import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Figures } from '../../../../backtest/metrics/metrics.ts'
import type { RoundTrip } from '../../../../src/domain/round-trip.ts'
import { roundTrip } from '../../results/round-trip.ts'
import { DAY, HOUR } from '../curve.ts'
import { hourlyMarket } from '../market.ts'
import { figuresFor, metricsFor } from '../run.ts'

/** Round trips with these profits, one after another. */
function tripsOf(profits: readonly (number | string)[], more: Partial<RoundTrip> = {}): RoundTrip[] {
  return profits.map((pnl, index) => ({
    ...roundTrip(String(pnl), [index * HOUR, (index + 1) * HOUR]),
    ...more,
  }))
}

// 32 made-up profits, 12 of them above 0.
const PROFITS = [
  -22.42, -19.64, -3.2, 61.78, 30.53, -10.63, 35.34, -14.07, -21.65, -15.24, 10.97, 50.55, 54.26, 53.7, -3.32,
  -19.82, -25.81, -24.62, -24.91, -5.17, 3.82, 30.88, -8.22, 24.69, 90.17, -6.46, -14.54, -16.13, -13.01,
  -16.08, -13.24, 68.55,
]

describe('round trip metrics', () => {
  const figures = figuresFor({ roundTrips: tripsOf(PROFITS) })

  // quantstats 0.0.86 of the profits as a pandas series s; np is numpy 2.4.6.
  it.each<[keyof Figures, number, string]>([
    ['winRate', 0.375, 'qs.stats.win_rate(s)'],
    ['payoff', 2.8799159344467546, 'qs.stats.payoff_ratio(s)'],
    ['profitFactor', 1.7279495606680528, 'qs.stats.profit_factor(s)'],
    ['averageWin', 42.93666666666667, 'qs.stats.avg_win(s)'],
    ['averageLoss', -14.909, 'qs.stats.avg_loss(s)'],
    ['expectancy', 6.783124999999999, 's.mean()'],
    ['kelly', 0.1579797764148746, 'qs.stats.kelly_criterion(s)'],
    ['longestWinStreak', 4, 'qs.stats.consecutive_wins(s)'],
    ['longestLossStreak', 6, 'qs.stats.consecutive_losses(s)'],
    ['sqn', 1.1786615016551385, 'np.sqrt(32) * s.mean() / s.std(ddof=1)'],
    ['bestPnl', 90.17, 's.max()'],
    ['worstPnl', -25.81, 's.min()'],
  ])('%s is %d, as %s says', (name, expected) => {
    expect(figures[name]).toBeCloseTo(expected, 10)
  })

  it('counts a round trip without profit as neither a win nor a loss, and ends a streak with it', () => {
    expect(figuresFor({ roundTrips: tripsOf([1, 1, 0, 1, -2, 0, -1, -1]) })).toMatchObject({
      roundTrips: 8,
      winRate: 3 / 8,
      averageWin: 1,
      averageLoss: -4 / 3,
      longestWinStreak: 2,
      longestLossStreak: 2,
    })
  })

  it('adds money up exactly: a loss of 10^-18 in a billion is seen', () => {
    const roundTrips = tripsOf(['1000000000', '-0.000000000000000001', '-1000000000'])
    const [group] = metricsFor({ roundTrips }).byDirection
    expect(group?.netProfit).toBe(-1e-18)
  })

  it('says what there is of durations', () => {
    const durations = [1, 2, 6].map(hours => roundTrip('1', [0, hours * HOUR]))
    expect(figuresFor({ roundTrips: durations })).toMatchObject({
      averageDurationMs: 3 * HOUR,
      medianDurationMs: 2 * HOUR,
      longestDurationMs: 6 * HOUR,
    })
  })

  it('measures excursions of each on its market', () => {
    const market = hourlyMarket([
      [10_000, 10_100, 9900, 10_050],
      [10_050, 10_600.53, 9700, 10_100],
      [10_100, 10_100, 10_100, 10_100],
    ])
    const roundTrips = [roundTrip('1', [0, HOUR]), roundTrip('1', [HOUR, 2 * HOUR])]
    const figures = figuresFor({ markets: [market], roundTrips })
    // Entries at 10,000.50 and exits at 10,100: lows of 9900 and 9700, highs of 10,100 and 10,600.53.
    expect(figures.averageMae).toBeCloseTo((100.5 + 300.5) / 2 / 10_000.5, 12)
    expect(figures.worstMae).toBeCloseTo(300.5 / 10_000.5, 12)
    expect(figures.averageMfe).toBeCloseTo((99.5 + 600.03) / 2 / 10_000.5, 12)
  })

  it('has no excursion on a market that is not given', () => {
    const { averageMae, winRate } = metricsFor({
      roundTrips: tripsOf([1], { symbol: 'ETH/USDT', book: 'ETH/USDT' }),
    }).figures
    expect(averageMae).toEqual({
      notAvailable: 'the sample gives no finite value, such as a division by zero',
    })
    expect(winRate).toEqual({ value: 1 })
  })

  it.each<[string, readonly number[], Record<string, string>]>([
    [
      'no round trip',
      [],
      {
        winRate: 'no position was closed',
        expectancy: 'no position was closed',
        payoff: 'needs wins and losses, has 0 and 0',
        profitFactor: 'no round trip lost',
        sqn: 'needs at least 30 round trips, has 0',
        breakEvenFee: 'needs at least 1 round trip, has 0',
        averageMae: 'no position was closed',
      },
    ],
    [
      'only wins',
      [1, 2],
      {
        averageLoss: 'no round trip lost',
        profitFactor: 'no round trip lost',
        kelly: 'needs wins and losses, has 2 and 0',
      },
    ],
    ['only losses', [-1], { averageWin: 'no round trip won', payoff: 'needs wins and losses, has 0 and 1' }],
    [
      'few',
      [1, -1],
      { kelly: 'needs at least 30 round trips, has 2', sqn: 'needs at least 30 round trips, has 2' },
    ],
    [
      '30 of the same',
      Array(30).fill(2),
      { sqn: 'the sample gives no finite value, such as a division by zero' },
    ],
  ])('says why a figure is not available of %s', (_, profits, reasons) => {
    const { figures } = metricsFor({ roundTrips: tripsOf(profits) })
    const expected = Object.fromEntries(
      Object.entries(reasons).map(([name, notAvailable]) => [name, { notAvailable }]),
    )
    expect(figures).toMatchObject(expected)
  })

  it('does not change when all profits are scaled, but for money', () => {
    const profits = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 30, maxLength: 60 })
    fc.assert(
      fc.property(profits, fc.integer({ min: 2, max: 50 }), (some, factor) => {
        const [one, many] = [some, some.map(pnl => pnl * factor)].map(all =>
          figuresFor({ roundTrips: tripsOf(all) }),
        )
        for (const name of [
          'winRate',
          'payoff',
          'profitFactor',
          'sqn',
          'kelly',
          'longestWinStreak',
        ] as const) {
          expect(many?.[name] ?? 0).toBeCloseTo(one?.[name] ?? 0, 8)
        }
        expect(many?.expectancy ?? 0).toBeCloseTo((one?.expectancy ?? 0) * factor, 6)
      }),
    )
  })
})

describe('groups', () => {
  const roundTrips = [
    ...tripsOf([5, -1], { exitReason: 'stopLoss', tag: 'a' }),
    ...tripsOf([-2], { exitReason: 'exit', direction: 'short' }),
    ...tripsOf([4, 0, -1], { exitReason: 'exit', tag: 'b' }),
  ]
  const metrics = metricsFor({ roundTrips })
  const summary = (groups: typeof metrics.byTag) =>
    groups.map(({ name, roundTrips: count, winRate, netProfit }) => [name, count, winRate, netProfit])

  it('come by exit reason, the largest first', () => {
    expect(summary(metrics.byExitReason)).toEqual([
      ['exit', 4, 1 / 4, 1],
      ['stopLoss', 2, 1 / 2, 4],
    ])
  })

  it('come by tag, without a name for those that have none', () => {
    expect(summary(metrics.byTag)).toEqual([
      ['b', 3, 1 / 3, 3],
      ['a', 2, 1 / 2, 4],
      [null, 1, 0, -2],
    ])
  })

  it('come by direction, and add up to the whole', () => {
    expect(summary(metrics.byDirection)).toEqual([
      ['long', 5, 2 / 5, 7],
      ['short', 1, 0, -2],
    ])
    // Each was worth 1.5 × 10,000.50 at its entry, and lasted an hour.
    expect(metrics.byDirection[0]?.averageReturn).toBeCloseTo(7 / 5 / 15_000.75, 12)
    expect(metrics.byDirection[0]?.averageDurationMs).toBe(HOUR)
  })
})

describe('a run of days', () => {
  it('has metrics of its round trips', () => {
    const roundTrips = [
      roundTrip('30.5', [0, 10 * DAY], '1.25'),
      roundTrip('-10', [20 * DAY, 40 * DAY], '0.75'),
      roundTrip('0', [40 * DAY, 43 * DAY]),
      roundTrip('-5.25', [50 * DAY, 73 * DAY], '0.5'),
    ]
    expect(figuresFor({ roundTrips })).toMatchObject({
      roundTrips: 4,
      winRate: 0.25,
      profitFactor: 2,
      expectancy: 3.8125,
      bestPnl: 30.5,
      worstPnl: -10,
      averageDurationMs: 14 * DAY,
      fees: 2.5,
    })
  })
})
