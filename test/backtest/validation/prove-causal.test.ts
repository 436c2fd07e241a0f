import { describe, expect, it } from 'vitest'
import { DEFAULT_FILL_SETTINGS } from '../../../backtest/models/fill-settings.ts'
import { atOnce } from '../../../backtest/run/resumable.ts'
import { affordableMoments, proveCausal } from '../../../backtest/validation/causality/prove-causal.ts'
import type { KlineColumns } from '../../../src/klines/kline-columns.ts'
import { defineStrategy, enterLong, exit } from '../../../src/strategy/index.ts'
import donchianBreakout from '../../../strategies/donchian-breakout.ts'
import rsiReversion from '../../../strategies/rsi-reversion.ts'
import smaCross from '../../../strategies/sma-cross.ts'
import { klinesOf, QUIET, type Row } from '../kline-table.ts'
import { randomRows, randomSignals } from '../random-market.ts'
import { backtestOf } from './backtest-of.ts'
import { peeking, remembering, robbed } from './leaky-strategies.ts'

const rows = randomRows(5, 1200)
const proofOf = (...[strategy, market = rows, settings]: Partial<Parameters<typeof backtestOf>>) =>
  atOnce(proveCausal({ backtest: backtestOf(strategy ?? smaCross, market, settings), cuts: 12, seed: 1 }))

describe('proveCausal', () => {
  it.each([
    ['sma-cross', smaCross, { fast: 2, slow: 5 }],
    [
      'donchian-breakout',
      donchianBreakout,
      { klines: 4, direction: 'both', stopLoss: 0.01, takeProfit: 0.02 },
    ],
    ['rsi-reversion', rsiReversion, { klines: 3, oversold: 45, overbought: 55 }],
    ['random signals', randomSignals, {}],
  ])('finds no leak in %s', (_, strategy, parameters) => {
    const { leak, cuts, compared } = proofOf(strategy, rows, { parameters })
    expect(leak).toBeUndefined()
    expect(cuts.rows).toHaveLength(12)
    expect(compared.klines).toBe(1200)
    for (const count of [compared.signals, compared.orders, compared.fills, compared.roundTrips])
      expect(count).toBeGreaterThan(20)
  })

  it.each([1, 3, 300])('finds an indicator that reads %d klines ahead, and how far', ahead => {
    const { leak } = proofOf(peeking(ahead))
    expect(leak?.difference).toMatchObject({ what: 'signal', handler: 'onKline' })
    const { row } = leak?.difference ?? { row: Number.NaN }
    const cut = leak?.cut ?? Number.NaN
    expect(row).toBeLessThanOrEqual(cut)
    expect(row + ahead).toBeGreaterThan(cut)
    expect(leak?.reach).toBeGreaterThanOrEqual(1)
    expect(leak?.reach).toBeLessThanOrEqual(ahead)
  })

  it('tells kline and value: what was a signal is none where the next kline falls instead', () => {
    // Flat, but for a rise from row 6 to row 7, which only one who knows it buys at row 6.
    const market: Row[] = Array.from({ length: 12 }, (_, row) =>
      row < 7 ? [100, 100, 100, 100] : [101, 101, 101, 101],
    )
    const { leak, cuts } = proofOf(peeking(1), market)
    expect(cuts.rows).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    // At row 0 the next kline is flat; the other one is lower, which leads to nothing either.
    expect(leak).toMatchObject({ cut: 6, reach: 1 })
    expect(leak?.difference).toEqual({
      what: 'signal',
      handler: 'onKline',
      row: 6,
      before: '{"type":"enter","direction":"long"}',
      after: undefined,
    })
  })

  it('finds a strategy that remembers the klines of the run before, without a change of the klines', () => {
    const { leak } = proofOf(remembering())
    expect(leak).toMatchObject({ cut: undefined, difference: { what: 'signal', before: undefined } })
  })

  it('finds an indicator that throws where the data ends', () => {
    const strategy = defineStrategy({
      name: 'needs-more',
      indicators: () => robbed(peekThatThrows()),
      onKline: () => undefined,
    })
    expect(proofOf(strategy).leak?.difference).toMatchObject({
      what: 'error',
      after: expect.stringMatching(/: Nothing there\.$/),
    })
  })

  it('does not blame a strategy that throws in a future that it could not know', () => {
    const strategy = defineStrategy({
      name: 'fragile',
      onKline: ({ openTime, close }, { position }) => {
        // On a flat market only the other future has prices other than 100.
        if (close !== 100) throw new Error('Too wild.')
        if (openTime === 600_000) return position.direction === 'flat' ? enterLong() : exit()
      },
    })
    const flat: Row[] = Array.from({ length: 100 }, () => [100, 100, 100, 100])
    expect(proofOf(strategy, flat).leak).toBeUndefined()
  })

  it('throws what the run itself throws', () => {
    const strategy = defineStrategy({
      name: 'broken',
      onKline: () => {
        throw new Error('No.')
      },
    })
    expect(() => proofOf(strategy)).toThrow('threw in onKline: No.')
  })

  it('holds where market entries are sized at the next open, and where the account is ruined', () => {
    const parameters = { klines: 4, direction: 'both' }
    const settings = { parameters, sizingReference: 'nextOpen', size: { equityFraction: 9 } } as const
    const fills = { ...DEFAULT_FILL_SETTINGS, slippageRate: 0.003 }
    expect(proofOf(donchianBreakout, rows, { ...settings, fills }).leak).toBeUndefined()
  })

  it('holds where finer klines tell the path inside klines', () => {
    const klines = hoursOf(rows)
    const settings = {
      klines,
      interval: '1h',
      detail: { klines: klinesOf(rows), interval: '1m' },
      fills: { ...DEFAULT_FILL_SETTINGS, path: 'detail' },
    } as const
    const { leak, compared } = proofOf(randomSignals, [], settings)
    expect(compared).toMatchObject({ klines: 20, fills: expect.any(Number) })
    expect(compared.fills).toBeGreaterThan(3)
    expect(leak).toBeUndefined()
  })

  it('replaces the future at as many moments as play four million klines', () => {
    expect([8760, 37_923, 3_000_000, 100].map(affordableMoments)).toEqual([913, 210, 20, 10_000])
  })

  it('chooses the same moments for the same seed, and others for another', () => {
    const backtest = backtestOf(smaCross, rows, { parameters: { fast: 2, slow: 5 } })
    const cutsOf = (seed: number) => atOnce(proveCausal({ backtest, cuts: 5, seed })).cuts
    expect(cutsOf(1)).toEqual(cutsOf(1))
    expect(cutsOf(2)).not.toEqual(cutsOf(1))
  })
})

/** Klines of an hour of those of a minute. */
function hoursOf(minutes: readonly Row[]): KlineColumns {
  const hours = Array.from({ length: minutes.length / 60 }, (_, hour): Row => {
    const part = minutes.slice(60 * hour, 60 * hour + 60)
    const [first, last] = [part[0] ?? QUIET, part.at(-1) ?? QUIET]
    const [highs, lows] = [part.map(([, high]) => high), part.map(([, , low]) => low)]
    return [first[0], Math.max(...highs), Math.min(...lows), last[3]]
  })
  const klines = klinesOf(hours)
  return { ...klines, openTime: klines.openTime.map(time => 60 * time) }
}

function peekThatThrows() {
  return {
    requiredKlines: 1,
    value: 0,
    previous: 0,
    handed(klines: { readonly close: Float64Array }, _from: number, to: number) {
      if (klines.close.length < 1200 && klines.close[to] === undefined) throw new Error('Nothing there.')
    },
    update() {},
  }
}
