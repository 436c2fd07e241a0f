import { describe, expect, it } from 'vitest'
import { DEFAULT_FILL_SETTINGS } from '../../../backtest/models/fill-settings.ts'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import { utcText } from '../../../src/domain/market-data/civil-date.ts'
import type { Interval } from '../../../src/domain/market-data/interval.ts'
import { amountOf, rateOf } from '../../../src/domain/numbers/amount.ts'
import { priceOf } from '../../../src/domain/numbers/grid.ts'
import { columnsFrom } from '../../../src/klines/kline-columns.ts'
import type { ProtectionRules } from '../../../src/risk/risk-rules.ts'
import { defineStrategy, enterLong, exit } from '../../../src/strategy/index.ts'
import { MARGIN } from '../../engine/engine-session.ts'

const HOUR = 3_600_000
const START = Date.UTC(2024, 0, 1)

/** Wants to be long of 50 at the close of every kline, with a stop-loss 5 below: 2.5% of 10,000 at a price of 100. */
const insistent = defineStrategy({
  name: 'insistent',
  onKline: (_kline, { position }) =>
    position.direction === 'long' ? undefined : enterLong({ size: { base: 50 }, stopLoss: 95 }),
})

interface Run {
  readonly entries: readonly string[]
  readonly denials: number
  readonly holds: readonly string[]
}

/** Plays `hours` klines at 100, of which those at `falls` (from 0) reach down to 90, from 100 or with a gap. */
function play(
  hours: number,
  falls: readonly number[],
  protections: ProtectionRules,
  start = START,
  fallsFrom: 90 | 100 = 100,
): Run {
  const klines = Array.from({ length: hours }, (_, row) => {
    const [open, low] = falls.includes(row) ? [fallsFrom, 90] : [100, 100]
    return { openTime: start + row * HOUR, open, high: 100, low, close: 100, volume: 1000 }
  })
  const holds: string[] = []
  const { fills, denials } = runBacktest({
    klines: columnsFrom(klines),
    instrument: MARGIN,
    interval: '1h' satisfies Interval,
    strategy: insistent,
    parameters: {},
    balances: new Map([['USDT', amountOf('10000')]]),
    size: { base: 1 },
    fills: { ...DEFAULT_FILL_SETTINGS, slippageRate: 0 },
    risk: { protections },
    sizingReference: 'decision',
    closeAtEnd: 'no',
    onNotice: notice => {
      if (notice.type !== 'tradingStateChanged' || notice.mode === 'active') return
      for (const { since, until } of notice.holds)
        holds.push(`${utcText(since)} to ${until === undefined ? 'open' : utcText(until)}`)
    },
  })
  const entries = fills.filter(({ side, price }) => side === 'buy' && priceOf(MARGIN, price) === 100)
  return {
    entries: entries.map(({ time }) => utcText(time)),
    denials: denials.length,
    holds,
  }
}

/** The sales of a strategy that buys 50 at the first close, and says `exit` once, at the close of the kline at which 1.5% are lost. */
function salesAfterLoss(mode: 'reducing' | 'halted'): readonly string[] {
  const once = defineStrategy({
    name: 'once',
    state: () => ({ row: -1 }),
    onKline(_kline, { state }) {
      state.row++
      if (state.row === 0) return enterLong({ size: { base: 50 } })
      return state.row === 2 ? exit() : undefined
    },
  })
  const klines = [100, 100, 97, 97, 97, 97, 97].map((close, row) => {
    const open = row === 2 ? 100 : close
    return { openTime: START + row * HOUR, open, high: open, low: close, close, volume: 1000 }
  })
  const { fills } = runBacktest({
    ...{ klines: columnsFrom(klines), instrument: MARGIN, interval: '1h' satisfies Interval },
    ...{
      strategy: once,
      parameters: {},
      balances: new Map([['USDT', amountOf('10000')]]),
      size: { base: 1 },
    },
    fills: { ...DEFAULT_FILL_SETTINGS, slippageRate: 0 },
    risk: { protections: { drawdown: { rate: rateOf('0.01'), pauseMs: 2 * HOUR, mode } } },
    ...{ sizingReference: 'decision', closeAtEnd: 'no' },
  })
  return fills.filter(({ side }) => side === 'sell').map(({ time }) => utcText(time))
}

it('a hold delays an exit at market where it is halted, and sends it at its end', () => {
  expect(salesAfterLoss('reducing')).toEqual(['2024-01-01T03:00:00.000Z'])
  expect(salesAfterLoss('halted')).toEqual(['2024-01-01T05:00:00.000Z'])
})

// The entry decided at the first close is stopped inside a later kline, and that is known at its close.
describe('a protection that a stop inside a kline sets off', () => {
  const mode = 'reducing' as const
  const stoppedAt3 = (protections: ProtectionRules) => play(8, [3], protections)

  it('pauses from the close of that kline on: what an interval is denies the decision at that close', () => {
    const pauses: readonly (readonly [pauseMs: number, denials: number, until: string, entered: number])[] = [
      [1, 1, '04:00:00.001', 5],
      [HOUR, 1, '05:00:00.000', 5],
      [HOUR + 1, 2, '05:00:00.001', 6],
    ]
    for (const [pauseMs, denials, until, entered] of pauses) {
      const hold = `2024-01-01T04:00:00.000Z to 2024-01-01T${until}Z`
      const entries = ['2024-01-01T01:00:00.000Z', `2024-01-01T0${entered}:00:00.000Z`]
      const expected = { entries, denials, holds: [hold] }
      expect(stoppedAt3({ cooldownAfterStop: { pauseMs, mode } })).toEqual(expected)
      expect(stoppedAt3({ lossesInARow: { count: 1, pauseMs, mode } })).toEqual(expected)
      expect(stoppedAt3({ drawdown: { rate: rateOf('0.01'), pauseMs, mode } })).toEqual(expected)
    }
  })

  it.each([
    ['first', 3, '2024-01-01T01:00:00.000Z', 23],
    ['second', 4, '2024-01-01T02:00:00.000Z', 22],
  ])('counts the loss inside the %s kline of a day to that day', (_name, row, since, denials) => {
    const dailyLoss = { rate: rateOf('0.01'), mode }
    expect(play(30, [row], { dailyLoss }, START - 3 * HOUR)).toEqual({
      entries: ['2023-12-31T22:00:00.000Z', '2024-01-02T00:00:00.000Z'],
      denials,
      holds: [`${since} to 2024-01-02T00:00:00.000Z`],
    })
  })

  it('counts the loss inside the last kline of a day to that day, which is over then', () => {
    const dailyLoss = { rate: rateOf('0.01'), mode }
    const { denials, holds } = play(6, [2], { dailyLoss }, START - 3 * HOUR)
    expect({ denials, holds }).toEqual({ denials: 0, holds: [] })
  })
})

it('a protection that a stop at an open sets off pauses from there: an interval denies the decision at the next close', () => {
  const mode = 'reducing' as const
  const pauses: readonly (readonly [pauseMs: number, denials: number, until: string, entered: number])[] = [
    [HOUR - 1, 0, '04:00:00.000', 4],
    [HOUR, 1, '04:00:00.001', 5],
    [2 * HOUR - 1, 1, '05:00:00.000', 5],
    [2 * HOUR, 2, '05:00:00.001', 6],
  ]
  for (const [pauseMs, denials, until, entered] of pauses) {
    const hold = `2024-01-01T03:00:00.001Z to 2024-01-01T${until}Z`
    const entries = ['2024-01-01T01:00:00.000Z', `2024-01-01T0${entered}:00:00.000Z`]
    const expected = { entries, denials, holds: [hold] }
    const stopped = (protections: ProtectionRules) => play(8, [3], protections, START, 90)
    expect(stopped({ cooldownAfterStop: { pauseMs, mode } })).toEqual(expected)
    expect(stopped({ lossesInARow: { count: 1, pauseMs, mode } })).toEqual(expected)
    expect(stopped({ drawdown: { rate: rateOf('0.01'), pauseMs, mode } })).toEqual(expected)
  }
})
