import type { BenchRow } from '../bench-row.ts'
import { median } from '../median.ts'
import { BACKTEST_CASES, type BacktestCase, type BacktestCaseName } from './backtest-cases.ts'
import { loadedKlines } from './sma-cross-speed.ts'

const WARM_UP_RUNS = 3
const RUNS = 9

/** A case in a process that has run it before, in CPU time: the median of several runs, Sluice and the bare loop in turns. */
export function backtestWarm(name: BacktestCaseName): BenchRow {
  const chosen: BacktestCase = BACKTEST_CASES[name]
  const { klines } = loadedKlines()
  return {
    name: `${chosen.name}, warm`,
    unit: 'klines/s',
    async run() {
      const play = chosen.prepare(klines)
      const speedOf = (run: () => unknown): number => {
        const before = process.cpuUsage()
        run()
        const { user, system } = process.cpuUsage(before)
        return klines.length / ((user + system) / 1e6)
      }
      const bare = () => chosen.bare(klines)
      for (let run = 0; run < WARM_UP_RUNS; run++) {
        play()
        bare()
      }
      const speeds = Array.from({ length: RUNS }, () => ({ value: speedOf(play), floor: speedOf(bare) }))
      return {
        value: median(speeds.map(({ value }) => value)),
        floor: median(speeds.map(({ floor }) => floor)),
      }
    },
  }
}
