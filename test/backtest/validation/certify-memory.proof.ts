import { filter, map } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { atOnce } from '../../../backtest/run/resumable.ts'
import { certificateVerdict, certifyWarmUp } from '../../../backtest/validation/warm-up/certify-warm-up.ts'
import {
  breakeven,
  compose,
  cooldownAfterLoss,
  defineStrategy,
  ema,
  enterLong,
  exit,
  keepQuotes,
  klines,
  type Strategy,
} from '../../../src/strategy/index.ts'
import { defineStreamStrategy } from '../../../src/streams/index.ts'
import type { Row } from '../kline-table.ts'
import { randomRows } from '../random-market.ts'
import { backtestOf } from './backtest-of.ts'

const rows = randomRows(11, 1600)
/** 59 decisions without a difference are enough for it, which is quick. */
const QUICK = { share: 0.05, confidence: 0.95 }

function certificateOf(strategy: Strategy, market = rows, seed = 1) {
  const backtest = backtestOf(strategy, market)
  const certificate = atOnce(certifyWarmUp({ backtest, seed, windows: 60, level: QUICK }))
  return { ...certificate, verdict: certificateVerdict(certificate) }
}

const SEEDS = [1, 2, 3, 4, 5]

/** The strategy of a stranger: an average that never forgets, in `state`. */
const averaging = defineStrategy({
  name: 'averaging',
  state: () => ({ average: 0 }),
  onKline({ close }, { state, position }) {
    state.average = state.average === 0 ? close : state.average + (close - state.average) * 0.02
    if (close > state.average && position.direction === 'flat') return enterLong()
    if (close < state.average && position.direction !== 'flat') return exit()
  },
})

const countingTo = (start: (state: { n: number }) => undefined) =>
  defineStrategy({
    name: 'counting',
    state: () => ({ n: 0 }),
    onStart: (_context: { readonly state: { n: number } }) => start(_context.state),
    onKline(_, { state }) {
      state.n++
      if (state.n % 7 === 0) return enterLong()
      if (state.n % 7 === 3) return exit()
    },
  })

describe('a certificate of a strategy that remembers in state', () => {
  // At its start the average is the close, which is not above itself, so that no first decision is an entry.
  it('is refused where the state is an average of all klines, whatever the seed', () => {
    for (const seed of SEEDS) {
      const { verdict, proof, state } = certificateOf(averaging, rows, seed)
      expect([verdict, proof?.differing]).toEqual(['not certified', 0])
      expect(state?.compared?.decisions).toBeGreaterThan(30)
      expect(state?.compared?.differing).toBe(state?.compared?.decisions)
      expect(state?.reason).toContain('`state`')
    }
  })

  // After a start the first kline counts 1: neither an entry (7) nor an exit (3).
  it('is refused where the state counts klines, also if the start resets it', () => {
    const untouched = countingTo(() => undefined)
    const reset = countingTo(state => {
      state.n = 0
    })
    for (const strategy of [untouched, reset]) {
      const { verdict, state } = certificateOf(strategy)
      expect(verdict).toBe('not certified')
      expect(state?.compared?.differing).toBe(state?.compared?.decisions)
    }
  })

  it('is refused where a feed fills the state', () => {
    const strategy = defineStrategy({
      name: 'fed',
      feeds: () => ({ slow: klines({ interval: '1m' }) }),
      state: (): { closes: number[] } => ({ closes: [] }),
      on: {
        slow({ close }, { state }) {
          state.closes = [...state.closes, close].slice(-5)
          return undefined
        },
      },
      onKline({ close }, { state: { closes }, position }) {
        if (closes.length < 5) return undefined
        const isAbove = close > closes.reduce((sum, one) => sum + one, 0) / 5
        if (isAbove && position.direction === 'flat') return enterLong()
        if (!isAbove && position.direction !== 'flat') return exit()
      },
    })
    const { verdict, state } = certificateOf(strategy)
    expect([verdict, state?.verdict]).toEqual(['not certified', 'fails'])
  })

  it('holds where the state follows the position, for it is fresh whenever there is none', () => {
    const strategy = defineStrategy({
      name: 'holding',
      state: () => ({ held: 0 }),
      onKline({ open, close }, { state, position }) {
        if (position.direction === 'flat') {
          state.held = 0
          return close > open + 0.2 ? enterLong() : undefined
        }
        state.held++
        return state.held >= 3 ? exit() : undefined
      },
    })
    for (const seed of SEEDS) {
      const { verdict, state } = certificateOf(strategy, rows.slice(0, 1000), seed)
      expect([verdict, state?.verdict, state?.compared]).toEqual(['certified', 'holds', undefined])
      expect(state?.unchangedAt).toBeGreaterThanOrEqual(59)
    }
  })

  it('holds where the state is of the last position, and no decision reads it before the next', () => {
    const strategy = defineStrategy({
      name: 'entered',
      state: () => ({ entry: 0 }),
      onKline({ open, close }, { state, position }) {
        if (position.direction === 'flat') {
          if (close <= open + 0.2) return undefined
          state.entry = close
          return enterLong()
        }
        return Math.abs(close - state.entry) > 0.5 ? exit() : undefined
      },
    })
    const { verdict, state } = certificateOf(strategy)
    expect([verdict, state?.compared?.differing]).toEqual(['certified', 0])
    expect(state?.compared?.decisions).toBeGreaterThanOrEqual(59)
  })

  it('holds where the first kline rebuilds the state from the klines of the warm-up', () => {
    const strategy = defineStrategy({
      name: 'rebuilding',
      history: 20,
      state: (): { closes: number[] } => ({ closes: [] }),
      onKline({ close }, { state, position, history }) {
        const known = state.closes.length === 0 ? history.map(one => one.close) : [...state.closes, close]
        state.closes = known.slice(-20)
        const isAbove = close > state.closes.reduce((sum, one) => sum + one, 0) / 20
        if (isAbove && position.direction === 'flat') return enterLong()
        if (!isAbove && position.direction !== 'flat') return exit()
      },
    })
    const { verdict, needed, state } = certificateOf(strategy)
    expect([verdict, needed, state?.compared?.differing]).toEqual(['certified', 19, 0])
  })

  it('compares on the balances of the moment, not on those of the beginning', () => {
    // Bought at 100 and sold at 110 every ten klines: 2,400 of them earn more than 2,000, and the peak is never 150 away.
    const wave = Array.from({ length: 2400 }, (_, row): Row => {
      const [open, close] = row % 10 < 5 ? [100, 100] : [110, 110]
      return [open, Math.max(open, close), Math.min(open, close), close]
    })
    const strategy = defineStrategy({
      name: 'guarded',
      state: () => ({ peak: 0 }),
      onKline({ openTime }, { state, position, equity }) {
        state.peak = Math.max(state.peak, equity)
        const phase = (openTime / 60_000) % 10
        if (phase === 2 && position.direction === 'flat' && equity > state.peak - 150) return enterLong()
        if (phase === 7 && position.direction !== 'flat') return exit()
      },
    })
    const { verdict, state } = certificateOf(strategy, wave)
    expect([verdict, state?.compared?.differing]).toEqual(['certified', 0])
  })

  it('cannot be given where it is never without orders', () => {
    const strategy = defineStrategy({
      name: 'quoting',
      state: () => ({ top: 0 }),
      onKline({ close }, { state }) {
        state.top = Math.max(close, state.top * 0.999)
        return keepQuotes([{ side: 'buy', price: state.top - 5, size: { base: 0.1 } }])
      },
    })
    const { verdict, state } = certificateOf(strategy)
    expect([verdict, state?.reason]).toEqual([
      'N/A',
      'Cannot be certified: its `state` begins afresh at a start, and that can only be compared at decisions without a position and orders, of which there are none.',
    ])
  })

  it('cannot be given where the state is no plain data', () => {
    const strategy = defineStrategy({
      name: 'hiding',
      state: () => ({ average: ema(5) }),
      onKline(kline, { state: { average }, position }) {
        average.update(kline)
        if (kline.close > average.value && position.direction === 'flat') return enterLong()
        if (kline.close < average.value && position.direction !== 'flat') return exit()
      },
    })
    const { verdict, state } = certificateOf(strategy)
    expect([verdict, state?.reason]).toEqual([
      'N/A',
      'Cannot be certified: its `state` holds functions or instances of classes, so no other run can continue with it. Keep plain data in it, and indicators in `indicators`.',
    ])
  })
})

const rising = defineStrategy({
  name: 'rising',
  onKline({ open, close }, { position }) {
    if (position.direction === 'flat')
      return close > open + 0.2 ? enterLong({ stopLoss: close - 1 }) : undefined
    return close < open ? exit() : undefined
  },
})

describe('a certificate of other memories', () => {
  it('is given to streams without a comparison of states, for the warm-up is shown to them', () => {
    const streamed = defineStreamStrategy({
      name: 'streamed',
      signals: ({ klines$ }) =>
        klines$.pipe(
          filter(({ open, close }) => Math.abs(close - open) > 0.2),
          map(({ open, close }) => (close > open ? enterLong() : exit())),
        ),
    })
    const { verdict, state } = certificateOf(streamed)
    expect([verdict, state]).toEqual(['certified', undefined])
  })

  it('compares what parts of a strategy remember', () => {
    const kept = compose(rising, { name: 'kept', parts: () => [breakeven({ after: 1 })] })
    expect(certificateOf(kept)).toMatchObject({ verdict: 'certified', state: { compared: { differing: 0 } } })
    // It enters on about every third kline, and a start knows of no loss before it.
    const cooled = compose(rising, { name: 'cooled', parts: () => [cooldownAfterLoss({ klines: 30 })] })
    const { state } = certificateOf(cooled)
    expect(state?.unchangedAt).toBeUndefined()
  })
})
