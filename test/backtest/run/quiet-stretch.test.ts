import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FillSettings } from '../../../backtest/models/fill-settings.ts'
import type { MarketsBacktestOptions } from '../../../backtest/run/backtest-options.ts'
import type { Notice } from '../../../src/domain/events/engine-output.ts'
import type { Explanation } from '../../../src/domain/events/explanation.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { rateOf } from '../../../src/domain/numbers/amount.ts'
import type { Signal } from '../../../src/domain/signal.ts'
import type { Strategy } from '../../../src/strategy/define-strategy.ts'
import { cancelEntries, defineStrategy, enterLong, exit, sma } from '../../../src/strategy/index.ts'
import rsiReversion from '../../../strategies/rsi-reversion.ts'
import smaCross from '../../../strategies/sma-cross.ts'
import { MARGIN, SPOT } from '../../engine/engine-session.ts'
import { fillWords, QUIET, type Row, run, runScript } from '../kline-table.ts'
import { anyFillSettings, anySeed, randomRows, randomSignals } from '../random-market.ts'
import { replayedRows } from './replayed-rows.ts'

const ROWS = 150

/** Keeps every kline it was shown, and decides by the one before the last. */
const keeper = defineStrategy({
  name: 'keeper',
  state: () => ({ seen: [] as Kline[] }),
  onKline(kline, { state: { seen } }) {
    seen.push(kline)
    const before = seen.at(-3)
    if (before === undefined) return
    return kline.close > before.high ? enterLong() : kline.close < before.low ? exit() : undefined
  },
})

/** Reads its indicators when an order trades, which is between two klines. */
const readsOnFill = defineStrategy({
  name: 'reads-on-fill',
  indicators: () => ({ fast: sma(2), slow: sma(5) }),
  onKline: (_kline, { indicators: { fast, slow }, position }) =>
    position.direction === 'flat' && fast.value > slow.value
      ? enterLong({ stopLoss: { fraction: 0.01 } })
      : undefined,
  onFill: (_fill, { indicators: { fast, slow } }) =>
    fast.previous < slow.previous || fast.value < slow.value ? exit() : undefined,
})

/** Fills and equity of a backtest, which plays quiet stretches of rows in one go. */
function inStretches(seed: number, strategy: Strategy, options: Options) {
  const result = run(strategy, randomRows(seed, ROWS), { ...options, size: { equityFraction: 0.5 } })
  return {
    fills: result.fills,
    roundTrips: result.roundTrips,
    equity: [...result.equity],
    ruined: result.ruined,
  }
}

/** Decides by what the context tells of the present. */
const observer = defineStrategy({
  name: 'observer',
  onKline: ({ close }, { time, equity, position }) => {
    if ((time / 60_000) % 6 !== 0) return
    return position.direction === 'flat' ? enterLong({ size: { quote: (equity / close) * 10 } }) : exit()
  },
})

/** Beside the rules of fills, what decides how long orders rest. */
const anyStretchSettings: fc.Arbitrary<FillSettings> = fc
  .record({
    settings: anyFillSettings,
    path: fc.constantFrom('pessimistic', 'optimistic', 'ohlc', 'olhc'),
    latencyMs: fc.constantFrom(0, 90_000),
  })
  .map(({ settings, path, latencyMs }) => ({
    ...settings,
    ...(path !== 'pessimistic' && {
      entryKlineProtection: 'all',
      stopLossFirst: 'unlessOpenPassedTakeProfit',
    }),
    path,
    latencyMs,
  }))

/** Bids far below the market, so that klines pass on which nothing can trade, and says something on nearly all of them. */
const patient = defineStrategy({
  name: 'patient',
  state: () => ({ seen: 0 }),
  onKline({ close }, { state, position, orders }) {
    state.seen++
    if (position.direction === 'flat' && orders.length === 0) {
      return enterLong({
        order: { type: 'limit', price: close * 0.985 },
        stopLoss: { fraction: 0.02 },
        takeProfit: { fraction: 0.03 },
      })
    }
    return state.seen % 7 === 0 ? cancelEntries({ tag: 'none' }) : undefined
  },
})

/** Stops above the market, with a limit in front of them. */
const stopper = defineStrategy({
  name: 'stopper',
  onKline: ({ close }, { position, orders }) =>
    position.direction === 'flat' && orders.length === 0
      ? enterLong({
          order: { type: 'stopLimit', stopPrice: close * 1.02, price: close * 1.015 },
          trailingStop: { fraction: 0.02 },
        })
      : undefined,
})

const strategies: readonly (readonly [string, Strategy, Readonly<Record<string, number>>])[] = [
  ['sma-cross', smaCross, { fast: 2, slow: 5 }],
  ['rsi-reversion', rsiReversion, { klines: 3, oversold: 45, overbought: 55 }],
  ['a strategy that keeps klines', keeper, {}],
  ['a strategy that reads indicators on fills', readsOnFill, {}],
  ['a strategy that reads time and equity', observer, {}],
  ['a strategy that waits with limit orders', patient, {}],
  ['a strategy that waits with stop-limit orders', stopper, {}],
  ['random signals', randomSignals, {}],
]

interface Options {
  readonly instrument: Instrument
  readonly fills: FillSettings
  readonly parameters: Readonly<Record<string, number>>
}

describe.each(strategies)('%s', (_name, strategy, parameters) => {
  it('trades alike in quiet stretches of rows, and kline by kline without any announcement', () => {
    let fills = 0
    fc.assert(
      fc.property(anySeed, anyStretchSettings, fc.boolean(), (seed, settings, isSpot) => {
        const options = { instrument: isSpot ? SPOT : MARGIN, fills: settings, parameters }
        const stretches = inStretches(seed, strategy, options)
        const singles = replayedRows(randomRows(seed, ROWS), { strategy, ...options })
        if (stretches.ruined) return
        const notices = singles.flatMap(row => row.notices)
        // The ids of orders carry the name of the bot, which differs; slippage is computed for a result alone.
        const nameless = (list: readonly { readonly clientOrderId?: string; readonly slippage?: bigint }[]) =>
          list.map(({ clientOrderId: _id, slippage: _slippage, ...fields }) => fields)
        const booked = notices.flatMap(notice => (notice.type === 'fillBooked' ? [notice.fill] : []))
        expect(nameless(stretches.fills)).toEqual(nameless(booked))
        const trips = notices.flatMap(notice => (notice.type === 'roundTripClosed' ? [notice.roundTrip] : []))
        expect(stretches.roundTrips).toEqual(trips)
        expect(stretches.equity).toEqual(singles.map(({ equity }) => equity))
        fills += booked.length
      }),
      { numRuns: 60 },
    )
    expect(fills).toBeGreaterThan(100)
  })
})

it('trades alike by the loop of a market that is alone, and by that of several markets', () => {
  let fills = 0
  fc.assert(
    fc.property(anySeed, anyStretchSettings, fc.boolean(), (seed, settings, isSpot) => {
      const told = (account: Pick<MarketsBacktestOptions, 'onClosed'>) => {
        const notices: Notice[] = []
        const result = run(randomSignals, randomRows(seed, ROWS), {
          ...{ instrument: isSpot ? SPOT : MARGIN, fills: settings, parameters: { seed } },
          ...{ onNotice: notice => notices.push(notice), ...account },
        })
        return { result, notices }
      }
      const alone = told({})
      // Whoever is told of each close sees the moments between klines.
      expect(told({ onClosed: () => {} })).toEqual(alone)
      fills += alone.result.fillCount
    }),
    { numRuns: 60 },
  )
  expect(fills).toBeGreaterThan(500)
})

it('ends at the kline that ruins a margin account, however quiet it was', () => {
  const seen: number[] = []
  const holder = defineStrategy({
    name: 'holder',
    onKline({ close }) {
      seen.push(close)
      return seen.length === 1 ? enterLong({ size: { base: 900 } }) : undefined
    },
  })
  const rows = [100, 100, 95, 88, 200, 200].map((price): Row => [price, price, price, price])
  const result = run(holder, rows, { instrument: MARGIN })
  // 10,000 - 900 × 12 is below zero at 88: nobody is shown the 200 that would have saved it.
  expect(seen).toEqual([100, 100, 95, 88])
  expect(result.ruined).toBe(true)
  expect([...result.equity]).toEqual([10_000, 10_000, 5_500, 0, 0, 0])
})

it('names the kline at which a strategy throws', () => {
  const thrower = defineStrategy({
    name: 'thrower',
    indicators: () => ({ average: sma(2) }),
    onKline({ close }) {
      if (close === 104) throw new Error('too high')
      return close === 102 ? cancelEntries() : undefined
    },
  })
  const rows = [100, 101, 102, 103, 104, 105].map((price): Row => [price, price, price, price])
  // The fifth kline of a minute closes five minutes after the epoch.
  expect(() => run(thrower, rows, { instrument: SPOT })).toThrow(
    'Strategy "thrower" on BTC/USDT at 1970-01-01T00:05:00.000Z threw in onKline: too high',
  )
})

/** The first signal waits through five quiet klines; the seventh, on which it trades, only just touches its price. */
const touches: readonly (readonly [string, Signal, Row, string])[] = [
  ['a bid', enterLong({ order: { type: 'limit', price: 95 } }), [100, 100, 95, 100], '6: buy 1 at 95 maker'],
  [
    'a buy stop',
    enterLong({ order: { type: 'stop', stopPrice: 105 } }),
    [100, 105, 100, 100],
    '6: buy 1 at 105 taker',
  ],
  ['a stop-loss', enterLong({ stopLoss: 95 }), [100, 100, 95, 100], '6: sell 1 at 95 taker'],
  ['a take-profit', enterLong({ takeProfit: 105 }), [100, 105, 100, 100], '6: sell 1 at 105 taker'],
]

it.each(touches)('sees %s touched after a quiet stretch', (_name, signal, touching, expected) => {
  const rows = [...Array<Row>(6).fill(QUIET), touching, QUIET]
  // Base to sell: nothing is lost to fees.
  const instrument: Instrument = { ...SPOT, fees: { maker: rateOf(0), taker: rateOf(0), paidIn: 'received' } }
  const result = runScript({ 0: signal }, rows, { instrument, fills: { limitFill: 'touch' } })
  expect(fillWords(result, instrument).at(-1)).toBe(expected)
})

it('ends a FOK order at its first open, even if the price moved on while it was on its way', () => {
  const script = {
    0: enterLong({ order: { type: 'limit', price: 99 }, keep: true }),
    1: enterLong({ order: { type: 'limit', price: 90, timeInForce: 'FOK' }, scaleIn: true }),
  }
  // Live 1 ms after the open of row 2, on which the first order trades inside; its own first open is that of row 3.
  const rows = [QUIET, QUIET, [100, 100, 98, 100], QUIET, QUIET] as const
  for (const path of ['ohlc', 'olhc', 'pessimistic', 'optimistic'] as const) {
    const { cutOrders, fills, workingOrders } = runScript(script, rows, { fills: { latencyMs: 1, path } })
    expect([fills.length, cutOrders.length, workingOrders]).toEqual([1, 1, 0])
  }
})

it('plays the same where decisions and plots are recorded, and records one of each for every kline that is decided on', () => {
  const plotting = defineStrategy({
    name: 'plotting',
    indicators: () => ({ fast: sma(2), slow: sma(5) }),
    onKline({ close }, { indicators: { fast, slow }, position, plot }) {
      plot({ distance: close - slow.value })
      if (fast.value > slow.value === (position.direction === 'flat'))
        return fast.value > slow.value ? enterLong() : exit()
    },
  })
  const rows = randomRows(7, ROWS)
  const told: Explanation[] = []
  const quiet = run(plotting, rows)
  const recorded = run(plotting, rows, { explain: explanation => told.push(explanation) })
  expect(quiet.fills.length).toBeGreaterThan(10)
  expect(fillWords(recorded)).toEqual(fillWords(quiet))
  expect([...recorded.equity]).toEqual([...quiet.equity])
  // The first five klines complete the warm-up; a kline is known when it closes, a minute after its open.
  const plots = told.filter(one => one.type === 'plotted')
  expect(plots.map(({ time }) => time)).toEqual(rows.slice(5).map((_row, place) => (place + 6) * 60_000))
  expect(told.filter(({ type }) => type === 'klineDecided')).toHaveLength(ROWS - 5)
})
