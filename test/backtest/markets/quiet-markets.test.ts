import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_FILL_SETTINGS } from '../../../backtest/models/fill-settings.ts'
import type { BacktestMarket, MarketsBacktestOptions } from '../../../backtest/run/backtest-options.ts'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import type { Notice } from '../../../src/domain/events/engine-output.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { seededRandom } from '../../../src/domain/numbers/seeded-random.ts'
import { resampleKlines } from '../../../src/klines/resample/resample-klines.ts'
import type { Strategy } from '../../../src/strategy/define-strategy.ts'
import {
  cancelEntries,
  defineStrategy,
  enterLong,
  every,
  exit,
  integer,
  klines,
  protect,
  type Signal,
} from '../../../src/strategy/index.ts'
import { MARGIN, SPOT } from '../../engine/engine-session.ts'
import { CONTRACT, contractWith } from '../futures/contract-run.ts'
import { klinesOf } from '../kline-table.ts'
import { randomRows, randomSignals } from '../random-market.ts'
import { several } from './several.ts'

const ROWS = 120
/** Shows every kline when it is needed, so that markets play moment by moment and none looks ahead. */
const MOMENT_BY_MOMENT = { closing() {}, opening() {} }

const parameters = {
  seed: integer({ default: 1, min: 0, max: 2 ** 31, description: 'Seed.' }),
}
const state = ({ seed }: { readonly seed: number }) => ({ random: seededRandom(seed).uniform })

/** A part of the equity that rests some way below the market, protected on both sides. */
function bid(price: number, equity: number, random: () => number): Signal {
  return enterLong({
    size: { quote: equity * 0.1 },
    order: { type: 'limit', price: price * (0.97 + random() * 0.03) },
    stopLoss: { fraction: 0.02 },
    takeProfit: { fraction: 0.02 },
  })
}

/** Bids by the equity of the account, and mostly waits. */
const patient = defineStrategy({
  name: 'patient',
  parameters,
  state,
  onKline({ close }, { equity, state: { random }, position, orders }) {
    if (position.direction === 'flat' && orders.length === 0) return bid(close, equity, random)
    const chance = random()
    return chance < 0.03 ? cancelEntries() : chance < 0.04 ? exit() : undefined
  },
})

/** The same by a feed and a timer as well, which come between two of its klines or with one. */
const interrupted = defineStrategy({
  name: 'interrupted',
  parameters,
  state,
  feeds: () => ({ minutes: klines({ interval: '1m' }) }),
  timers: { often: every('15m') },
  onKline: ({ close }, { equity, state: { random }, orders }) =>
    orders.length === 0 ? bid(close, equity, random) : undefined,
  on: {
    minutes: ({ close }, { equity, state: { random } }) =>
      random() < 0.05 ? bid(close, equity, random) : undefined,
    often: (_time, { state: { random } }) => (random() < 0.3 ? exit() : undefined),
  },
})

/** Bids in its own market and in that of a role, and moves the stop of each on a fill of the other. */
const spread = defineStrategy({
  name: 'spread',
  parameters,
  state,
  markets: ['other'],
  onKline({ close }, { equity, state: { random }, orders }) {
    const chance = random()
    if (chance < 0.1 && orders.length === 0) return bid(close, equity, random)
    return chance < 0.3 ? { ...bid(close, equity, random), market: 'other' } : undefined
  },
  onFill({ market }, { state: { random }, position, price, markets: { other } }) {
    const moved = market === undefined ? other : { position, price }
    if (moved.position.direction === 'flat') return
    const stop = protect({ stopLoss: moved.price * (0.99 + random() * 0.01) })
    return market === undefined ? { ...stop, market: 'other' } : stop
  },
})

const strategies = { 'random signals': randomSignals, patient, interrupted, spread }
const instruments = {
  'a spot account': SPOT,
  'a margin account': MARGIN,
  'isolated contracts': CONTRACT,
  'cross contracts': contractWith({ marginMode: 'cross' }),
}

const anyAccount = fc.record({
  seed: fc.nat({ max: 100_000 }),
  names: fc.array(fc.constantFrom(...(Object.keys(strategies) as (keyof typeof strategies)[])), {
    minLength: 2,
    maxLength: 4,
  }),
  path: fc.constantFrom('pessimistic' as const, 'ohlc' as const),
  latencyMs: fc.constantFrom(0, 90_000),
  limitFill: fc.constantFrom('touch' as const, 'through' as const),
})

type Account = typeof anyAccount extends fc.Arbitrary<infer Value> ? Value : never

/** Cross contracts count at an open that no order reaches, when another market is sized by the equity. */
const MARKED_AT_OPEN: Account = {
  seed: 11_871,
  names: ['interrupted', 'random signals', 'random signals'],
  path: 'ohlc',
  latencyMs: 90_000,
  limitFill: 'touch',
}

describe.each(Object.entries(instruments))('markets of %s', (_kind, instrument) => {
  it('trade alike where they pass klines that no order reaches, and where they play each of them', () => {
    let fills = 0
    fc.assert(
      fc.property(anyAccount, ({ seed, names, ...rules }) => {
        const markets = names.map((name, place) => marketOf(strategies[name], instrument, seed, place))
        const fillRules = { ...DEFAULT_FILL_SETTINGS, ...rules }
        const told = (settings: Partial<MarketsBacktestOptions>) => {
          const notices: Notice[] = []
          const onNotice = (notice: Notice) => notices.push(notice)
          const result = runBacktest(several(markets, { fills: fillRules, onNotice, ...settings }))
          return { result, notices }
        }
        const passed = told({})
        expect(passed).toEqual(told({ reveal: MOMENT_BY_MOMENT }))
        fills += passed.result.fillCount
      }),
      { numRuns: 40, examples: [[MARKED_AT_OPEN]] },
    )
    expect(fills).toBeGreaterThan(500)
  })
})

/** A market of its own symbol; `interrupted` follows minutes on klines of five. */
function marketOf(strategy: Strategy, instrument: Instrument, seed: number, place: number): BacktestMarket {
  const named = (base: string) => ({ ...instrument, symbol: `${base}/USDT`, base })
  const rows = klinesOf(randomRows(seed + place, ROWS))
  const isSlow = strategy === interrupted
  return {
    klines: isSlow ? resampleKlines(rows, { from: '1m', to: '5m' }).columns : rows,
    instrument: named(`A${place}`),
    interval: isSlow ? '5m' : '1m',
    strategy,
    parameters: { seed: seed + place },
    size: { base: 1 },
    ...(isSlow && { feeds: { minutes: { type: 'klines', klines: rows } } }),
    ...(strategy === spread && {
      roles: {
        other: { instrument: named(`B${place}`), klines: klinesOf(randomRows(seed - place - 1, ROWS)) },
      },
    }),
  }
}
