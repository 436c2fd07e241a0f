import { describe, expect, it } from 'vitest'
import { atOnce } from '../../../backtest/run/resumable.ts'
import { certifyWarmUp } from '../../../backtest/validation/warm-up/certify-warm-up.ts'
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

const rows = randomRows(11, 1200)
/** 59 decisions without a difference are enough for it, which is quick. */
const QUICK = { share: 0.05, confidence: 0.95 }
/** That of the command. */
const USUAL = { share: 0.005, confidence: 0.95 }
const certificateOf = (
  strategy: Parameters<typeof backtestOf>[0],
  market: readonly Row[] = rows,
  { seed = 1, windows = 60, level = QUICK } = {},
) => atOnce(certifyWarmUp({ backtest: backtestOf(strategy, market), seed, windows, level }))

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
  it('finds that a simple average of 20 needs one kline less before the first decision', () => {
    const { needed, declared, longest, proof } = certificateOf(aboveAverage(20))
    expect([needed, declared, longest]).toEqual([19, 20, 300])
    expect(proof).toMatchObject({ history: 19, differing: 0 })
    // Those on which it changed its mind, and those on which it did not: at least 59 of each.
    expect(proof?.decisions).toBeGreaterThanOrEqual(118)
    expect(proof?.bound).toBeLessThanOrEqual(0.05)
  })

  // A crossing also needs the averages of the kline before.
  it('finds that a crossing of a simple average of 5 needs as many, whatever the seed', () => {
    for (const seed of [1, 2, 3])
      expect(certificateOf(crossing(5), rows, { seed })).toMatchObject({ needed: 5, declared: 5 })
  })

  it('does not certify a length after which a few in a hundred differ, which ten windows would not have met', () => {
    // Every 40th kline says what was 60 klines ago, the others what is now.
    const rare = (history: number) =>
      defineStrategy({
        name: 'rare',
        warmUp: () => 1,
        history,
        onKline: ({ openTime, open, close }, { history: past }) => {
          const then = (openTime / 60_000) % 40 === 0 && past.length === 60 ? past[0] : undefined
          const rises = then === undefined ? close > open : then.close > then.open
          return rises ? enterLong() : exit()
        },
      })
    const { needed, declared, proof } = certificateOf(rare(60), randomRows(11, 1200), {
      ...{ windows: 155, level: { share: 0.02, confidence: 0.95 } },
    })
    expect(declared).toBe(1)
    // The kline it decides on is one of the sixty.
    expect([needed, proof?.differing]).toEqual([59, 0])
  })

  it('says how many decisions there are where they are too few, and what they tell all the same', () => {
    const { needed, reason, proof } = certificateOf(crossing(5), rows, { level: USUAL })
    const { decisions = 0, bound = 0 } = proof ?? {}
    expect(needed).toBeUndefined()
    expect(reason).toBe(
      `Cannot be certified: only ${decisions} decisions could be compared. To say that at most 0.5% differ takes 598 of which none does; give it more klines.`,
    )
    expect(proof).toMatchObject({ history: 5, differing: 0 })
    expect(bound).toBeCloseTo(1 - 0.05 ** (1 / decisions), 9)
  })

  it('finds how long an exponential average remembers a spike', () => {
    // Flat at 100 but for one close of 1100 in every 20 klines, each of which leads to two decisions. The average (weight
    // 1/2, begun with the mean of its first three klines) is above 101 while 500 × (1/2)^j > 1, j klines after the spike: up to j = 8. If the spike is one of the
    // first three of k + 1 klines, it is above 101 while 1000/3 × (1/2)^(k - 2) > 1: up to k = 10, where the spike may be 10,
    // 9 or 8 klines old. For 10 and 9 that is wrong; from k = 11 on nothing is.
    const market = Array.from(
      { length: 1200 },
      (_, row): Row => (row % 20 === 5 ? [100, 1100, 100, 1100] : [100, 100, 100, 100]),
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
        'Cannot be certified: histories of more than 150 klines still lead to other decisions, and 300 is the longest that could be tried: its memory has no end, or needs more data to be measured.',
    })
  })

  it('cannot say it where every history leads to something else', () => {
    const strategy = defineStrategy({
      name: 'counting-prices',
      indicators: () => ({ count: counter() }),
      onKline: (_, { indicators: { count } }) => enterLong({ order: { type: 'limit', price: count.value } }),
    })
    expect(certificateOf(strategy).reason).toMatch(
      /^Cannot be certified: histories of more than 150 klines still lead/,
    )
  })

  it('cannot say it where nothing is decided', () => {
    const { needed, reason } = certificateOf(defineStrategy({ name: 'silent', onKline: () => undefined }))
    expect(needed).toBeUndefined()
    expect(reason).toBe(
      'Cannot be certified: it decides nothing after the first quarter of the klines, so there is nothing to compare.',
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
      onKline: ({ open, close }, { indicators: { average } }) => {
        if (Number.isNaN(average.value)) throw new Error('Too early.')
        return close > open ? enterLong() : exit()
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
