import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import type { Strategy } from '../../../src/strategy/define-strategy.ts'
import smaCross from '../../../strategies/sma-cross.ts'
import { smaCrossStreams } from '../../streams/sma-cross-streams.ts'
import type { BenchRow } from '../bench-row.ts'
import { median } from '../median.ts'
import { backtestOptions } from './sluice-backtest.ts'
import { loadedKlines } from './sma-cross-speed.ts'

const WARM_UP_RUNS = 4
const RUNS = 11

/** The same strategy as streams and, as the reference, as a handler: what rxjs costs per kline. */
export function smaCrossStreamsWarm(): BenchRow {
  const { klines, source } = loadedKlines()
  const options = { ...backtestOptions(klines, 10_000), parameters: { fast: 20, slow: 50 } }
  const speedOf = (strategy: Strategy): number => {
    const startedAt = performance.now()
    runBacktest({ ...options, strategy })
    return klines.length / ((performance.now() - startedAt) / 1000)
  }
  return {
    name: `backtest sma-cross as streams, warm, beside handlers (${source})`,
    unit: 'klines/s',
    async run() {
      for (let run = 0; run < WARM_UP_RUNS; run++) {
        speedOf(smaCrossStreams)
        speedOf(smaCross)
      }
      // One of each in turn, so that both meet the same machine.
      const speeds = Array.from({ length: RUNS }, () => ({
        value: speedOf(smaCrossStreams),
        floor: speedOf(smaCross),
      }))
      return {
        value: median(speeds.map(({ value }) => value)),
        floor: median(speeds.map(({ floor }) => floor)),
      }
    },
  }
}
