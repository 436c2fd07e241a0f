import { atOnce } from '../../../backtest/run/resumable.ts'
import { resumableTrials } from '../../../backtest/trials/resumable-trials.ts'
import smaCross from '../../../strategies/sma-cross.ts'
import { benchKlines } from '../klines/bench-klines.ts'
import { peakMemory } from '../peak-memory.ts'
import { bareSmaCross } from './bare-sma-cross.ts'
import { backtestOptions } from './sluice-backtest.ts'

const [CASH, EQUITY_FRACTION] = [10_000, 0.95]
const WARM_UP_PAIRS = 10

// A process of its own, started by sweep-warm.ts with the number of pairs.
const count = Number(process.argv[2])
const { klines } = await benchKlines()

/** Pairs of averages of 5 to 100 and of 110 to 600 klines. */
const pairs = Array.from({ length: count }, (_, at) => ({
  fast: 5 + 5 * (at % 20),
  slow: 110 + Math.floor((490 * Math.floor(at / 20)) / Math.max(1, Math.ceil(count / 20) - 1)),
}))
const backtest = {
  ...backtestOptions(klines, CASH),
  ...{ strategy: smaCross, parameters: {}, size: { equityFraction: EQUITY_FRACTION } },
}

function sweep(some: typeof pairs): void {
  atOnce(resumableTrials({ backtest, riskFreeRate: 0 }, some))
}

function bare(some: typeof pairs): void {
  for (const pair of some) bareSmaCross(klines, { ...pair, equityFraction: EQUITY_FRACTION, cash: CASH })
}

/** Rows × pairs per second of CPU time. */
function speedOf(play: typeof sweep): number {
  const before = process.cpuUsage()
  play(pairs)
  const { user, system } = process.cpuUsage(before)
  return (pairs.length * klines.length) / ((user + system) / 1e6)
}

for (const play of [sweep, bare]) play(pairs.slice(0, WARM_UP_PAIRS))
const value = speedOf(sweep)
const peak = peakMemory()
const columns = (klines.length * 6 * 8) / 1024
console.log(
  JSON.stringify({ speed: { value, floor: speedOf(bare) }, memory: { value: peak, floor: columns } }),
)
