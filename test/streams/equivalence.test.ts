import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runBacktest } from '../../backtest/run/run-backtest.ts'
import { journalText } from '../../src/journal/journal-text.ts'
import { readKlineFile } from '../../src/klines/formats/read-kline-file.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import type { Strategy } from '../../src/strategy/define-strategy.ts'
import rsiReversion from '../../strategies/rsi-reversion.ts'
import smaCross from '../../strategies/sma-cross.ts'
import { type RunSettings, run } from '../backtest/kline-table.ts'
import { anyFillSettings, anySeed, randomRows } from '../backtest/random-market.ts'
import { backtestOptions } from '../bench/backtests/sluice-backtest.ts'
import { SPOT } from '../engine/engine-session.ts'
import { hasShared, sharedPath } from '../shared-data.ts'
import { rsiReversionStreams } from './rsi-reversion-streams.ts'
import { smaCrossStreams } from './sma-cross-streams.ts'

const ROWS = 400

const crossParameters = fc
  .tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 20 }))
  .map(([fast, more]) => ({ fast, slow: fast + more }))

const reversionParameters = fc.record({
  klines: fc.integer({ min: 2, max: 8 }),
  oversold: fc.integer({ min: 30, max: 50 }),
  overbought: fc.integer({ min: 50, max: 70 }),
  discount: fc.double({ min: 0, max: 1, noNaN: true }),
  stop: fc.double({ min: 0.5, max: 4, noNaN: true }),
})

const pairs = [
  { name: 'sma-cross', handlers: smaCross, streams: smaCrossStreams, parameters: crossParameters },
  {
    name: 'rsi-reversion',
    handlers: rsiReversion,
    streams: rsiReversionStreams,
    parameters: reversionParameters,
  },
] as const

/** Everything that came of a run, as text. */
function told(strategy: Strategy, seed: number, settings: RunSettings): string {
  const { fills, roundTrips, denials, signals, equity } = run(strategy, randomRows(seed, ROWS), settings)
  return journalText({ fills, roundTrips, denials, signals, equity: [...equity] })
}

describe.each(pairs)('$name as streams', ({ handlers, streams, parameters }) => {
  it('gives the fills of its handlers on any market, with any parameters', () => {
    let fills = 0
    fc.assert(
      fc.property(anySeed, parameters, anyFillSettings, fc.boolean(), (seed, given, fillSettings, isSpot) => {
        const settings = {
          fills: fillSettings,
          parameters: given,
          ...(isSpot && { instrument: SPOT }),
          size: { equityFraction: 0.5 },
        }
        const told1 = told(handlers, seed, settings)
        expect(told(streams, seed, settings)).toBe(told1)
        fills += told1.split('"liquidity"').length - 1
      }),
      { numRuns: 60 },
    )
    expect(fills).toBeGreaterThan(500)
  })

  it.runIf(hasShared('data', 'binance-btcusdt-15m.csv.gz'))(
    'gives the fills of its handlers on years of a real market',
    async () => {
      const { columns } = await readKlineFile(sharedPath('data', 'binance-btcusdt-15m.csv.gz'))
      const [ours, theirs] = [streams, handlers].map(strategy => onRealMarket(strategy, columns))
      expect(ours).toBe(theirs)
      expect(ours?.length).toBeGreaterThan(100_000)
    },
  )
})

function onRealMarket(strategy: Strategy, klines: KlineColumns): string {
  const options = { ...backtestOptions(klines, 10_000), interval: '15m' } as const
  const { fills, roundTrips } = runBacktest({ ...options, strategy, parameters: {} })
  return journalText({ fills, roundTrips })
}
