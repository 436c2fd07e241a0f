import { expect, it } from 'vitest'
import type { BacktestMarket, BacktestOptions } from '../../../backtest/run/backtest-options.ts'
import { atOnce } from '../../../backtest/run/resumable.ts'
import { proveCausal } from '../../../backtest/validation/causality/prove-causal.ts'
import { certifyWarmUp } from '../../../backtest/validation/warm-up/certify-warm-up.ts'
import type { KlineSeries } from '../../../src/domain/market-data/kline-series.ts'
import type { KlineColumns } from '../../../src/klines/kline-columns.ts'
import { resampleKlines } from '../../../src/klines/resample/resample-klines.ts'
import {
  defineStrategy,
  ema,
  enterLong,
  exit,
  klines,
  of,
  type Strategy,
  sma,
} from '../../../src/strategy/index.ts'
import type { Row } from '../kline-table.ts'
import { ETH, klinesAt, marketOf, several } from '../markets/several.ts'
import { robbed } from './leaky-strategies.ts'

/** Minutes that go up and down by several waves. */
function waves(phase: number): KlineColumns {
  const price = (minute: number) =>
    Math.round(100 * (100 + 8 * Math.sin(minute / 17 + phase) + 3 * Math.sin(minute / 3 + 2 * phase))) / 100
  const rows = Array.from({ length: 1200 }, (_, minute): Row => {
    const [open, close] = [price(minute), price(minute + 1)]
    return [open, Math.max(open, close) + 0.5, Math.min(open, close) - 0.5, close]
  })
  return klinesAt(rows)
}

const OWN = waves(0)
const OTHER = waves(1)
const FIVE = resampleKlines(OWN, { from: '1m', to: '5m' }).columns

function followingMarket(strategy: Strategy): BacktestMarket {
  return marketOf(strategy, OWN, {
    roles: { other: { instrument: ETH, klines: OTHER } },
    feeds: { slow: { type: 'klines', klines: FIVE } },
  })
}

function runFor(market: BacktestMarket): BacktestOptions {
  const { markets: _, ...account } = several([])
  return { ...account, ...market }
}

const honest = (average: typeof sma) =>
  defineStrategy({
    name: 'honest',
    markets: ['other'],
    feeds: () => ({ slow: klines({ interval: '5m' }) }),
    indicators: () => ({ trend: of('slow', average(3)) }),
    onKline: ({ close }, { indicators: { trend }, markets: { other }, position }) => {
      if (position.direction === 'flat')
        return close > trend.value
          ? [enterLong(), enterLong({ market: 'other', tag: `${other.price > 100}` })]
          : undefined
      return close < trend.value ? [exit(), exit({ market: 'other' })] : undefined
    },
  })

it('proves a strategy of two instruments and intervals causal, by replacing the future of all', () => {
  const backtest = runFor(followingMarket(honest(sma)))
  const proof = atOnce(proveCausal({ backtest, cuts: 12, seed: 1 }))
  expect(proof.leak).toBeUndefined()
  expect(proof.compared.signals).toBeGreaterThan(50)
})

it('finds one that knows the future', () => {
  const peeking = defineStrategy({
    name: 'peeking',
    markets: ['other'],
    feeds: () => ({ slow: klines({ interval: '5m' }) }),
    indicators: () => robbed(aheadOf()),
    onKline: (_kline, { indicators: { peek: ahead }, position }) => {
      if (position.direction === 'flat') return ahead.value > 0 ? enterLong() : undefined
      return ahead.value > 0 ? undefined : exit()
    },
  })
  const leak = atOnce(proveCausal({ backtest: runFor(followingMarket(peeking)), cuts: 20, seed: 1 })).leak
  expect(leak?.difference.what).toBe('signal')
})

/** An indicator that uses what a replay announces. */
function aheadOf() {
  let next = 0
  let rise: number[] = []
  const indicator = {
    requiredKlines: 1,
    value: 0,
    previous: 0,
    handed(series: KlineSeries, from: number, to: number) {
      rise = Array.from(
        { length: to - from },
        (_, index) => (series.close[from + index + 2] ?? 0) - (series.close[from + index] ?? 0),
      )
      next = 0
    },
    update() {
      indicator.previous = indicator.value
      indicator.value = rise[next++] ?? 0
    },
  }
  return indicator
}

it('certifies the history that decisions need, with that which feeds are declared to need', () => {
  const certificateOf = (strategy: Strategy) => {
    const backtest = runFor(followingMarket(strategy))
    return atOnce(certifyWarmUp({ backtest, seed: 1 }))
  }
  expect(certificateOf(honest(sma)).proof).toMatchObject({ history: 0, differing: 0 })
  // An average that never forgets needs more of its feed than it declares, which no history of its own makes up for.
  expect(certificateOf(honest(ema)).proof?.history).not.toBe(0)
})
