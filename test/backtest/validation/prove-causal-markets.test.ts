import { describe, expect, it } from 'vitest'
import type { BacktestMarket, MarketsBacktestOptions } from '../../../backtest/run/backtest-options.ts'
import { atOnce } from '../../../backtest/run/resumable.ts'
import { proveCausal } from '../../../backtest/validation/causality/prove-causal.ts'
import type { KlineSeries } from '../../../src/domain/market-data/kline-series.ts'
import type { Strategy } from '../../../src/strategy/define-strategy.ts'
import { defineStrategy, enterLong, exit } from '../../../src/strategy/index.ts'
import { ETH, klinesAt, MINUTE, marketOf, several } from '../markets/several.ts'
import { randomRows, randomSignals } from '../random-market.ts'
import { robbed } from './leaky-strategies.ts'

const proofOf = (markets: readonly BacktestMarket[], settings: Partial<MarketsBacktestOptions> = {}) =>
  atOnce(proveCausal({ backtest: several(markets, settings), cuts: 30, seed: 1 }))

const minutes = klinesAt(randomRows(3, 600))
const fives = klinesAt(randomRows(5, 110), { start: 10 * MINUTE, interval: '5m' })
const onFives = { instrument: ETH, interval: '5m' } as const

/** Says on each of its klines what the close of a later one will be, and trades nothing. */
function teller(ahead: number, told: { close: number }) {
  let series: KlineSeries | undefined
  let row = 0
  const peek = {
    requiredKlines: 0,
    value: 0,
    previous: 0,
    handed(klines: KlineSeries, from: number) {
      series = klines
      row = from
    },
    update() {
      told.close = series?.close[row + ahead] ?? Number.NaN
      row++
    },
  }
  return defineStrategy({ name: 'teller', indicators: () => robbed(peek) })
}

/** Trades by what it is told, whatever its own market does; only on klines of these minutes of five. */
function listener(told: { close: number }, minutesOfFive = [0, 1, 2, 3, 4]) {
  return defineStrategy({
    name: 'listener',
    onKline: ({ openTime }, { position }) => {
      if (!minutesOfFive.includes((openTime / MINUTE) % 5)) return
      if (told.close > 100 && position.direction === 'flat') return enterLong()
      if (told.close < 100 && position.direction === 'long') return exit()
    },
  })
}

describe('proveCausal of several markets', () => {
  it.each([
    ['decision', 'pessimistic', {}],
    ['nextOpen', 'ohlc', {}],
    ['decision', 'optimistic', { maxVolumeShare: 0.3, volumeImpact: 0.1, latencyMs: 1 }],
  ] as const)('finds no leak where there is none: %s, %s, %j', (sizingReference, path, more) => {
    const markets = [
      marketOf(randomSignals, minutes, { parameters: { seed: 1 } }),
      marketOf(randomSignals, fives, { ...onFives, parameters: { seed: 2 } }),
    ]
    const base = several(markets)
    const { leak, compared, cuts, moments } = proofOf(markets, {
      sizingReference,
      fills: { ...base.fills, path, ...more },
    })
    expect(leak).toBeUndefined()
    // The last kline of five minutes closes at 560, in the middle of the minutes.
    expect([compared.klines, cuts.rows.length, moments?.length]).toEqual([600, 30, 600])
    for (const count of [compared.signals, compared.orders, compared.fills, compared.roundTrips])
      expect(count).toBeGreaterThan(20)
  })

  it.each([1, 4])('finds what one strategy tells another of a future %d klines ahead', ahead => {
    const told = { close: Number.NaN }
    const { leak } = proofOf([
      marketOf(teller(ahead, told), klinesAt(randomRows(4, 600)), { instrument: ETH }),
      marketOf(listener(told), minutes),
    ])
    expect(leak?.difference).toMatchObject({
      what: 'signal',
      handler: 'onKline',
      market: 'listener on BTC/USDT 1m',
    })
    expect(leak?.difference.row).toBeLessThanOrEqual(leak?.cut ?? Number.NaN)
    expect(leak?.reach).toBeLessThanOrEqual(ahead)
  })

  it('finds what is told of the close of a long kline before it has closed', () => {
    const told = { close: Number.NaN }
    const { leak } = proofOf([
      marketOf(listener(told, [1, 2]), minutes),
      marketOf(teller(1, told), fives, onFives),
    ])
    expect(leak?.difference).toMatchObject({ what: 'signal', market: 'listener on BTC/USDT 1m' })
  })

  it('finds no leak where a strategy tells another what it knows', () => {
    const told = { close: Number.NaN }
    const deciding = listener(told)
    const forgetful: Strategy = {
      ...deciding,
      start(...given) {
        // What was told in the run before.
        told.close = Number.NaN
        return deciding.start(...given)
      },
    }
    const proof = proofOf([marketOf(forgetful, minutes), marketOf(teller(0, told), fives, onFives)])
    expect(proof.leak).toBeUndefined()
    expect(proof.compared.signals).toBeGreaterThan(10)
  })

  it('holds where finer klines tell the path inside klines', () => {
    const rows = randomRows(7, 600)
    const finer = klinesAt(rows)
    const hours = klinesAt(
      Array.from({ length: 10 }, (_, hour) => {
        const part = rows.slice(60 * hour, 60 * hour + 60)
        const [highs, lows] = [part.map(([, high]) => high), part.map(([, , low]) => low)]
        return [part[0]?.[0] ?? 0, Math.max(...highs), Math.min(...lows), part.at(-1)?.[3] ?? 0]
      }),
      { interval: '1h' },
    )
    const detail = { klines: finer, interval: '1m' } as const
    const markets = [
      marketOf(randomSignals, hours, { interval: '1h', detail, parameters: { seed: 1 } }),
      marketOf(randomSignals, klinesAt(randomRows(8, 120), { interval: '5m' }), {
        ...onFives,
        detail: { klines: klinesAt(randomRows(9, 600)), interval: '1m' },
        parameters: { seed: 2 },
      }),
    ]
    const { leak, compared } = proofOf(markets, {
      fills: { ...several(markets).fills, path: 'detail' },
    })
    expect(leak).toBeUndefined()
    expect(compared.fills).toBeGreaterThan(10)
  })
})
