import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Strategy } from '../../../src/strategy/define-strategy.ts'
import type { GivenParameter } from '../../../src/strategy/parameters.ts'
import donchianBreakout from '../../../strategies/donchian-breakout.ts'
import rsiReversion from '../../../strategies/rsi-reversion.ts'
import smaCross from '../../../strategies/sma-cross.ts'
import { MARGIN, SPOT } from '../../engine/engine-session.ts'
import { type Row, run } from '../kline-table.ts'
import { anyFillSettings, anySeed, randomRows, randomSignals } from '../random-market.ts'
import { replayedRows, rowText } from './replayed-rows.ts'

const ROWS = 80

const strategies: readonly (readonly [string, Strategy, Readonly<Record<string, GivenParameter>>])[] = [
  ['sma-cross', smaCross, { fast: 2, slow: 5 }],
  ['donchian-breakout', donchianBreakout, { klines: 4, direction: 'both', stopLoss: 0.01, takeProfit: 0.02 }],
  ['rsi-reversion', rsiReversion, { klines: 3, oversold: 45, overbought: 55 }],
  ['random signals', randomSignals, {}],
]

/** `rows` with everything after `last` replaced. */
function withOtherFuture(rows: readonly Row[], last: number, seed: number): Row[] {
  return [...rows.slice(0, last + 1), ...randomRows(seed, rows.length - last - 1)]
}

describe.each(strategies)('%s', (_name, strategy, parameters) => {
  const course = fc.record({
    past: anySeed,
    future: anySeed,
    last: fc.nat(ROWS - 2),
    fills: anyFillSettings,
    isSpot: fc.boolean(),
  })

  it('does the same up to a kline, whatever comes after it: signals, orders, fills, equity', () => {
    let fills = 0
    fc.assert(
      fc.property(course, ({ past, future, last, fills: settings, isSpot }) => {
        const options = { strategy, parameters, instrument: isSpot ? SPOT : MARGIN, fills: settings }
        const rows = randomRows(past, ROWS)
        const first = replayedRows(rows, options)
        const second = replayedRows(withOtherFuture(rows, last, future), options)
        for (let row = 0; row <= last; row++) expect(rowText(second[row])).toBe(rowText(first[row]))
        fills += first.flatMap(({ notices }) => notices).filter(({ type }) => type === 'fillBooked').length
      }),
      { numRuns: 60 },
    )
    expect(fills).toBeGreaterThan(100)
  })

  it('gives a backtest whose beginning is the backtest of the beginning', () => {
    fc.assert(
      fc.property(course, ({ past, last, fills }) => {
        const rows = randomRows(past, ROWS)
        const whole = run(strategy, rows, { parameters, fills })
        const part = run(strategy, rows.slice(0, last + 1), { parameters, fills })
        expect(part.equity).toEqual(whole.equity.slice(0, last + 1))
        expect(part.fills).toEqual(whole.fills.filter(({ time }) => time <= last * 60_000))
      }),
      { numRuns: 40 },
    )
  })

  it('gives the same backtest twice', () => {
    fc.assert(
      fc.property(course, ({ past, fills }) => {
        const rows = randomRows(past, ROWS)
        expect(run(strategy, rows, { parameters, fills })).toEqual(run(strategy, rows, { parameters, fills }))
      }),
      { numRuns: 20 },
    )
  })
})
