import type { KlineColumns } from '../../../src/klines/kline-columns.ts'

/** Klines on which the RSI of closes, with Wilder's smoothing, is below a level: one loop over a typed array, and an equity curve. */
export function bareRsi({ length, close }: KlineColumns, period: number, level: number): number {
  const equity = new Float64Array(length)
  let [gain, loss, last, oversold] = [0, 0, close[0] ?? Number.NaN, 0]
  for (let row = 0; row < length; row++) {
    const now = close[row] as number // inside the bounds
    const change = now - last
    last = now
    const weight = row < period ? 1 / (row + 1) : 1 / period
    gain += (Math.max(change, 0) - gain) * weight
    loss += (Math.max(-change, 0) - loss) * weight
    const moved = gain + loss
    if (row >= period && 100 * (moved === 0 ? 0.5 : gain / moved) < level) oversold++
    equity[row] = 10_000
  }
  return oversold
}
