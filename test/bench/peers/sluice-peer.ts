import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import smaCross from '../../../strategies/sma-cross.ts'
import { backtestOptions } from '../backtests/sluice-backtest.ts'
import { benchKlines } from '../klines/bench-klines.ts'
import { peakMemory } from '../peak-memory.ts'

// A process of its own, started by main.ts: prints what a backtest cost and came to, as measured.py does.
const CASES = {
  many: { cash: 100_000, equityFraction: 0.01, parameters: { fast: 10, slow: 30 } },
  few: { cash: 10_000, equityFraction: 0.95, parameters: { fast: 200, slow: 1000 } },
}
const RUNS_BEFORE_WARM = 8
const [, , name, which] = process.argv
const { cash, equityFraction, parameters } = CASES[name as keyof typeof CASES] // as main.ts passes it
const { klines } = await benchKlines()
const options = backtestOptions(klines, cash)
const run = () =>
  runBacktest({
    ...options,
    fills: { ...options.fills, slippageRate: 0 },
    strategy: smaCross,
    parameters,
    size: { equityFraction },
  })
if (which === 'warm') for (let before = 0; before < RUNS_BEFORE_WARM; before++) run()
const before = process.cpuUsage()
const result = run()
const { user, system } = process.cpuUsage(before)
console.log(
  JSON.stringify({
    version: which,
    seconds: (user + system) / 1e6,
    fills: result.fills.length,
    worth: result.equity.at(-1),
    peakKb: peakMemory(),
  }),
)
