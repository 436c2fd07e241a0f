import { describe, expect, it } from 'vitest'
import { comparisonJson } from '../../src/compare/comparison-rows.ts'
import { defineStrategy, enterLong, every, exit, ticker } from '../../src/strategy/index.ts'
import smaCross from '../../strategies/sma-cross.ts'
import { hasShared } from '../shared-data.ts'
import { comparedLife, partsOf } from './compared-bot.ts'

const CROSS = { strategy: smaCross, parameters: { fast: 5, slow: 20 }, size: { quote: 2000 } }
const SIZE = { quote: 1000 }

/** Enters on every twelfth ticker, ten seconds apart, and exits twenty seconds later. */
const flip = defineStrategy({
  name: 'flip',
  feeds: () => ({ q: ticker({ everyMs: 10_000 }) }),
  state: () => ({ n: 0 }),
  on: {
    q(_ticker, { state }) {
      const place = state.n++ % 12
      if (place === 3) return enterLong()
      return place === 5 ? exit() : undefined
    },
  },
})

/** Follows a ticker, and decides at closes alone. */
const onCloses = defineStrategy({
  name: 'on-closes',
  feeds: () => ({ q: ticker({ everyMs: 10_000 }) }),
  state: () => ({ n: 0 }),
  onKline(_kline, { state, feeds }) {
    const place = state.n++ % 10
    if (place === 1 && feeds.q.latest !== undefined) return enterLong()
    return place === 6 ? exit() : undefined
  },
})

/** Decides on a timer, which comes with a kline. */
const timed = defineStrategy({
  name: 'timed',
  timers: { often: every('10m') },
  on: {
    often: (_timer, { position }) => (position.direction === 'flat' ? enterLong() : exit()),
  },
})

describe.runIf(hasShared('data', 'binance-btcusdt-1m.csv.gz'))(
  'feeds that a comparison cannot replay',
  () => {
    it('leave a strategy that decides on a ticker without a verdict, which names strategy, feed and reason', async () => {
      const comparison = await comparedLife({ strategies: [{ strategy: flip, size: SIZE }], minutes: 30 })
      expect(comparison.verdict).toBe('notComparable')
      expect(comparison.orders).toEqual([])
      const { sentence, leftOut } = comparisonJson(comparison)
      expect(leftOut).toMatchObject([
        { strategy: 'flip', symbol: 'BTC/USDT', feed: 'q', shows: 'ticker', of: 'BTC/USDT' },
      ])
      // About 30 minutes of six tickers a minute, of which two in twelve decide.
      expect(leftOut[0]?.orders).toBeGreaterThan(20)
      expect(sentence).toContain('Strategy flip on BTC/USDT cannot be compared: ')
      expect(sentence).toContain('decided on the feed "q" (ticker of BTC/USDT)')
      expect(sentence).not.toMatch(/promised|defect/)
    })

    it('leave the other strategies of the bot their verdict', async () => {
      const comparison = await comparedLife({ strategies: [CROSS, { strategy: flip, size: SIZE }] })
      expect(comparison.verdict).toBe('asPromised')
      expect(comparison.orders.length).toBeGreaterThan(8)
      const { sentence, orders } = comparisonJson(comparison)
      expect(orders.every(({ strategy }) => strategy === 'sma-cross')).toBe(true)
      expect(sentence).toMatch(
        /^Live traded as the backtest promised: .*Strategy flip on BTC\/USDT cannot be compared/,
      )
    })

    it('cost a strategy nothing that decides at closes, or on a timer', async () => {
      for (const strategy of [onCloses, timed]) {
        const comparison = await comparedLife({ strategies: [{ strategy, size: SIZE }], minutes: 60 })
        expect(comparison.orders.length).toBeGreaterThan(3)
        expect([comparison.verdict, comparison.leftOut, partsOf(comparison)]).toEqual(['asPromised', [], {}])
      }
    })
  },
)
