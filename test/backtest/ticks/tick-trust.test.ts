import { describe, expect, it } from 'vitest'
import { atOnce } from '../../../backtest/run/resumable.ts'
import { proveCausal } from '../../../backtest/validation/causality/prove-causal.ts'
import { certifyWarmUp } from '../../../backtest/validation/warm-up/certify-warm-up.ts'
import {
  defineStrategy,
  depth,
  type Indicator,
  type Kline,
  keepQuotes,
  type Strategy,
  trades,
} from '../../../src/strategy/index.ts'
import { robbed } from '../validation/leaky-strategies.ts'
import { type TopRow, type TradeRow, tickBacktest, ticksOf } from './tick-run.ts'

/** Twenty minutes of a market that swings, two trades and four looks at the book a second apart. */
const ROWS = Array.from({ length: 1260 }, (_, second): TradeRow => {
  const price = 100 + 3 * Math.sin(second / 40) + Math.sin(second / 7)
  return [second * 1000, Math.round(price * 100) / 100, second % 3 === 0 ? -2 : 1]
})
const TOPS = ROWS.map(([time, price]): TopRow => [time + 500, price - 0.05, price + 0.05])
const ticks = ticksOf(ROWS, TOPS)

/** Quotes around the middle of the book, a little lower after each sale that it is shown. */
const maker = defineStrategy({
  name: 'maker',
  feeds: () => ({ book: depth({ levels: 1, everyMs: 2_000 }), tape: trades({ everyMs: 2_000 }) }),
  state: () => ({ sold: 0 }),
  on: {
    tape({ side, quantity }, { state }) {
      state.sold = 0.9 * state.sold + (side === 'sell' ? quantity : 0)
      return undefined
    },
    book({ bids: [bid], asks: [ask] }, { state }) {
      if (bid === undefined || ask === undefined) return undefined
      const middle = (bid.price + ask.price) / 2 - state.sold / 100
      return keepQuotes([
        { side: 'buy', price: middle - 0.1, size: { base: 0.1 } },
        { side: 'sell', price: middle + 0.1, size: { base: 0.1 } },
      ])
    },
  },
})

/** The close of the kline after the one that is shown, as long as it is handed what is announced to formulas. */
class NextClose implements Indicator<number> {
  readonly requiredKlines = 1
  readonly previous = Number.NaN
  value = Number.NaN
  #closes: ArrayLike<number> = []
  #next = 0

  handed({ close }: { readonly close: ArrayLike<number> }, from: number): void {
    this.#closes = close
    this.#next = from
  }

  update({ close }: Kline): void {
    this.value = this.#closes[++this.#next] ?? close
  }
}

const prove = (strategy: Strategy) =>
  atOnce(proveCausal({ backtest: tickBacktest(strategy, ticks, { latencyMs: 300 }), cuts: 8, seed: 3 }))

describe('a proof that a run on ticks does not know the future', () => {
  it('holds for a strategy that quotes by what its feeds have shown', () => {
    const { leak, compared, cuts } = prove(maker)
    expect(leak).toBeUndefined()
    expect(cuts.rows).toHaveLength(8)
    expect(compared.fills).toBeGreaterThan(100)
  })

  it('holds where the first trade lies within the first kline, as after a cut to a span', () => {
    const average = defineStrategy({
      name: 'average',
      state: () => ({ closes: 0 }),
      onKline({ close }, { state }) {
        state.closes += close
        return keepQuotes([{ side: 'buy', price: close - (state.closes % 1), size: { base: 0.1 } }])
      },
    })
    const whole = tickBacktest(average, ticks, { latencyMs: 300 })
    const backtest = { ...whole, ticks: ticksOf(ROWS.slice(5), TOPS) }
    expect(atOnce(proveCausal({ backtest, cuts: 8, seed: 3 })).leak).toBeUndefined()
  })

  it('is refused of a market without public trades', () => {
    const backtest = { ...tickBacktest(maker, ticks), ticks: ticksOf([], TOPS) }
    expect(() => atOnce(proveCausal({ backtest, seed: 1 }))).toThrow('BTC/USDT has no public trades')
  })

  it('finds a strategy that reads a kline ahead', () => {
    const seer = defineStrategy({
      name: 'seer',
      indicators: () => robbed(new NextClose()),
      onKline: ({ close }, { indicators: { peek: next } }) =>
        keepQuotes([{ side: 'buy', price: Math.min(next.value, close) - 0.1, size: { base: 0.1 } }]),
    })
    expect(prove(seer).leak?.difference.what).toBe('signal')
  })
})

describe('a certificate of the warm-up on ticks', () => {
  it('plays what was recorded of each part', () => {
    const averaging = defineStrategy({
      name: 'averaging',
      warmUp: () => 2,
      history: () => 2,
      onKline: ({ close }, { history }) =>
        keepQuotes([
          { side: 'buy', price: (close + (history[0]?.close ?? close)) / 2 - 1, size: { base: 0.1 } },
        ]),
    })
    const { proof, declared } = atOnce(certifyWarmUp({ backtest: tickBacktest(averaging, ticks), seed: 1 }))
    expect(proof).toMatchObject({ differing: 0 })
    expect(proof?.history).toBeLessThanOrEqual(declared)
  })
})
