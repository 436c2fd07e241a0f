import { benchKlines } from '../klines/bench-klines.ts'
import { BACKTEST_CASES, type BacktestCase, type BacktestCaseName } from './backtest-cases.ts'

// A process of its own, started by backtest-cold.ts: prints the klines per second of the first run of a case.
const [, , name, who] = process.argv
const { klines } = await benchKlines()
const chosen: BacktestCase = BACKTEST_CASES[name as BacktestCaseName] // as backtest-cold.ts passes it
const run = who === 'bare' ? () => chosen.bare(klines) : chosen.prepare(klines)
const startedAt = performance.now()
const fills = run()
const seconds = (performance.now() - startedAt) / 1000
const expected = chosen.bare(klines)
// Where two averages are equal, the rounding of their sums decides: the bare sums drift, ours do not.
if (expected !== undefined && Math.abs((fills ?? 0) - expected) > expected / 1000)
  throw new Error(`Sluice made ${fills} fills and the bare loop ${expected}; correct bare-sma-cross.ts.`)
console.log(klines.length / seconds)
