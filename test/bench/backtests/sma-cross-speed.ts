import { type BenchKlines, benchKlines } from '../klines/bench-klines.ts'
import { bareSmaCross, type SmaCrossSettings } from './bare-sma-cross.ts'
import { smaCrossRun } from './sluice-backtest.ts'

/** The strategy's defaults, with those of config/backtest.yaml. */
const SETTINGS: SmaCrossSettings = { fast: 20, slow: 50, equityFraction: 0.95, cash: 10_000 }

/** Klines per second of one run of the sma-cross strategy, or of the bare loop over the same klines. */
export function smaCrossSpeed(who: 'sluice' | 'bare', { klines }: BenchKlines): number {
  const run = who === 'sluice' ? smaCrossRun(klines, SETTINGS) : () => bareSmaCross(klines, SETTINGS)
  const startedAt = performance.now()
  run()
  return klines.length / ((performance.now() - startedAt) / 1000)
}

/** Throws unless both trade alike: the same number of fills, and an end equity that differs by rounding only. */
export function requireSameWork({ klines }: BenchKlines): void {
  const [ours, bare] = [smaCrossRun(klines, SETTINGS)(), bareSmaCross(klines, SETTINGS)]
  const difference = Math.abs((ours.equity.at(-1) ?? Number.NaN) - bare.endEquity)
  if (ours.fills.length === bare.fills && difference < 0.05) return
  throw new Error(
    `Sluice made ${ours.fills.length} fills and the bare loop ${bare.fills}, with end equities ${difference} apart; correct bare-sma-cross.ts.`,
  )
}

const loaded = await benchKlines()

/** The klines of all rows, read once. */
export function loadedKlines(): BenchKlines {
  return loaded
}
