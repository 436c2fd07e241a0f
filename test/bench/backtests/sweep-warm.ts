import { atOnce } from '../../../backtest/run/resumable.ts'
import { resumableTrials } from '../../../backtest/trials/resumable-trials.ts'
import smaCross from '../../../strategies/sma-cross.ts'
import type { BenchRow } from '../bench-row.ts'
import { bareSmaCross } from './bare-sma-cross.ts'
import { backtestOptions } from './sluice-backtest.ts'
import { loadedKlines } from './sma-cross-speed.ts'

const [CASH, EQUITY_FRACTION] = [10_000, 0.95]

/** Two hundred pairs of averages from 5 to 100 and from 110 to 560 klines. */
const PAIRS = Array.from({ length: 200 }, (_, at) => ({
  fast: 5 + 5 * (at % 20),
  slow: 110 + 50 * Math.floor(at / 20),
}))

/** Trials of a search in one process: rows × parameter sets per second of CPU time, with all figures and daily returns. */
export function sweepWarm(): BenchRow {
  const { klines } = loadedKlines()
  const backtest = {
    ...backtestOptions(klines, CASH),
    ...{ strategy: smaCross, parameters: {}, size: { equityFraction: EQUITY_FRACTION } },
  }
  const sweep = (pairs: typeof PAIRS) => atOnce(resumableTrials({ backtest, riskFreeRate: 0 }, pairs))
  const bare = (pairs: typeof PAIRS) => {
    for (const pair of pairs) bareSmaCross(klines, { ...pair, equityFraction: EQUITY_FRACTION, cash: CASH })
  }
  return {
    name: `sweep sma-cross, ${PAIRS.length} pairs of averages, warm`,
    unit: 'row-combinations/s',
    async run() {
      for (const play of [sweep, bare]) play(PAIRS.slice(0, 10))
      return { value: speedOf(sweep), floor: speedOf(bare) }
    },
  }

  function speedOf(play: (pairs: typeof PAIRS) => unknown): number {
    const before = process.cpuUsage()
    play(PAIRS)
    const { user, system } = process.cpuUsage(before)
    return (PAIRS.length * klines.length) / ((user + system) / 1e6)
  }
}
