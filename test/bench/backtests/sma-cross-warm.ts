import type { BenchRow } from '../bench-row.ts'
import { median } from '../median.ts'
import { loadedKlines, requireSameWork, smaCrossSpeed } from './sma-cross-speed.ts'

const WARM_UP_RUNS = 4
const RUNS = 11

/** A backtest in a process that has run it before: the median of several runs. */
export function smaCrossWarm(): BenchRow {
  const klines = loadedKlines()
  return {
    name: `backtest sma-cross, warm (${klines.source})`,
    unit: 'klines/s',
    async run() {
      for (let run = 0; run < WARM_UP_RUNS; run++) requireSameWork(klines)
      // No collection is forced before a run: it would make the runs meet a shrunken heap and fresh memory pages.
      // One of each in turn, so that both meet the same machine.
      const speeds = Array.from({ length: RUNS }, () => ({
        value: smaCrossSpeed('sluice', klines),
        floor: smaCrossSpeed('bare', klines),
      }))
      return {
        value: median(speeds.map(({ value }) => value)),
        floor: median(speeds.map(({ floor }) => floor)),
      }
    },
  }
}
