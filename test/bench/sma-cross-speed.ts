import { bareSmaCross } from './bare-sma-cross.ts'
import { type BenchKlines, benchKlines } from './bench-klines.ts'
import { sluiceSmaCross } from './sluice-sma-cross.ts'

const START_CASH = 10_000

/** Klines per second of one run of the sma-cross strategy, or of the bare loop over the same klines. */
export function smaCrossSpeed(who: 'sluice' | 'bare', { klines }: BenchKlines): number {
  const startedAt = performance.now()
  if (who === 'sluice') sluiceSmaCross(klines)
  else bareSmaCross(klines, START_CASH)
  return klines.length / ((performance.now() - startedAt) / 1000)
}

/** Throws unless both trade alike: the same number of fills, and an end equity that differs by rounding only. */
export function requireSameWork({ klines }: BenchKlines): void {
  const [ours, bare] = [sluiceSmaCross(klines), bareSmaCross(klines, START_CASH)]
  const difference = Math.abs((ours.equity.at(-1) ?? Number.NaN) - bare.endEquity)
  if (ours.fills.length === bare.fills && difference < 0.05) return
  throw new Error(
    `Sluice made ${ours.fills.length} fills and the bare loop ${bare.fills}, with end equities ${difference} apart; correct bare-sma-cross.ts.`,
  )
}

let loaded: BenchKlines | undefined

/** The klines of all rows, read once. */
export function loadedKlines(): BenchKlines {
  loaded ??= benchKlines()
  return loaded
}
