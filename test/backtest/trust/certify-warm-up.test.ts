import { describe, expect, it } from 'vitest'
import { atOnce } from '../../../backtest/pausing.ts'
import { certifyWarmUp } from '../../../backtest/trust/certify-warm-up.ts'
import {
  crossesAbove,
  crossesBelow,
  defineStrategy,
  ema,
  enterLong,
  exit,
  sma,
} from '../../../src/strategy/index.ts'
import type { Row } from '../kline-table.ts'
import { randomRows } from '../random-market.ts'
import { backtestOf } from './backtest-of.ts'

const rows = randomRows(11, 1000)
const certificateOf = (strategy: Parameters<typeof backtestOf>[0], market: readonly Row[] = rows) =>
  atOnce(certifyWarmUp({ backtest: backtestOf(strategy, market), seed: 1 }))

/** Says on every kline whether the close is above an average, by half of what averages of cents differ by: there are no ties. */
const aboveAverage = (period: number) =>
  defineStrategy({
    name: 'above-average',
    indicators: () => ({ average: sma(period) }),
    onKline: ({ close }, { indicators: { average } }) =>
      close > average.value + 0.005 / period ? enterLong() : exit(),
  })

const crossing = (period: number) =>
  defineStrategy({
    name: 'crossing',
    indicators: () => ({ fast: sma(2), slow: sma(period) }),
    onKline: (_, { indicators: { fast, slow } }) => {
      if (crossesAbove(fast, slow)) return enterLong()
      if (crossesBelow(fast, slow)) return exit()
    },
  })

describe('certifyWarmUp', () => {
  // The kline it decides on is the last of the n.
  it.each([5, 20, 50])(
    'finds that a simple average of %d needs one kline less before the first decision',
    period => {
      const { needed, declared, windows, decisions, longest, samples } = certificateOf(aboveAverage(period))
      expect([needed, declared, longest]).toEqual([period - 1, period, 500])
      expect(windows).toBeGreaterThan(8)
      expect(decisions).toBeGreaterThan(1000)
      expect(samples.length).toBeGreaterThan(5)
    },
  )

  // A crossing also needs the averages of the kline before.
  it.each([5, 20, 50])('finds that a crossing of a simple average of %d needs as many', period => {
    expect(certificateOf(crossing(period))).toMatchObject({ needed: period, declared: period })
  })

  it('finds how long an exponential average remembers a spike', () => {
    // Flat at 100 but for one close of 1100 in every 50 klines. The average (weight 1/2, begun with the mean of its first
    // three klines) is above 101 while 500 × (1/2)^j > 1, j klines after the spike: up to j = 8. If the spike is one of the
    // first three of k + 1 klines, it is above 101 while 1000/3 × (1/2)^(k - 2) > 1: up to k = 10, where the spike may be 10,
    // 9 or 8 klines old. For 10 and 9 that is wrong; from k = 11 on nothing is.
    const market = Array.from(
      { length: 1000 },
      (_, row): Row => (row % 50 === 25 ? [100, 1100, 100, 1100] : [100, 100, 100, 100]),
    )
    const strategy = defineStrategy({
      name: 'memory',
      indicators: () => ({ average: ema(3) }),
      onKline: (_, { indicators: { average } }) => (average.value > 101 ? enterLong() : exit()),
    })
    expect(certificateOf(strategy, market)).toMatchObject({ needed: 11, declared: 3 })
  })

  it('cannot say it of a memory without end', () => {
    const strategy = defineStrategy({
      name: 'counting',
      indicators: () => ({ count: counter() }),
      onKline: (_, { indicators: { count } }) => (count.value % 2 === 0 ? enterLong() : exit()),
    })
    expect(certificateOf(strategy)).toMatchObject({
      needed: undefined,
      reason:
        'Histories of more than 250 klines still lead to other decisions, and the data allows 500 at most: its memory has no end, or needs more data to be measured.',
    })
  })

  it('cannot say it where every history leads to something else', () => {
    const strategy = defineStrategy({
      name: 'counting-prices',
      indicators: () => ({ count: counter() }),
      onKline: (_, { indicators: { count } }) => enterLong({ order: { type: 'limit', price: count.value } }),
    })
    expect(certificateOf(strategy).reason).toMatch(/^Histories of more than 250 klines still lead/)
  })

  it('cannot say it where nothing is decided', () => {
    const { needed, reason } = certificateOf(defineStrategy({ name: 'silent', onKline: () => undefined }))
    expect(needed).toBeUndefined()
    expect(reason).toBe(
      'It decides nothing in the second half of the 1000 klines, so there is nothing to compare.',
    )
  })

  it('finds that a strategy without a memory needs nothing', () => {
    const strategy = defineStrategy({
      name: 'now',
      onKline: ({ open, close }) => (close > open ? enterLong() : exit()),
    })
    expect(certificateOf(strategy)).toMatchObject({ needed: 0, declared: 0 })
  })

  it('takes prices that differ by less than a tick for the same', () => {
    const strategy = defineStrategy({
      name: 'limits',
      indicators: () => ({ average: ema(3) }),
      onKline: (_, { indicators: { average } }) =>
        enterLong({ order: { type: 'limit', price: average.value } }),
    })
    // The average of 3 forgets half a kline: prices up to 10 apart are a tick (0.01) apart after about log2(1000) = 10.
    const { needed } = certificateOf(strategy)
    expect(needed).toBeGreaterThan(5)
    expect(needed).toBeLessThan(20)
  })

  it('takes a strategy that cannot decide on a short history for one that decides otherwise', () => {
    const strategy = defineStrategy({
      name: 'strict',
      indicators: () => ({ average: sma(10) }),
      onKline: (_, { indicators: { average } }) => {
        if (Number.isNaN(average.value)) throw new Error('Too early.')
        return enterLong()
      },
    })
    expect(certificateOf(strategy).needed).toBe(9)
  })
})

function counter() {
  return {
    requiredKlines: 1,
    value: 0,
    previous: 0,
    update() {
      this.value++
    },
  }
}
