import type { Instrument } from '../../src/domain/instrument.ts'
import { priceOf, roundToTicks } from '../../src/domain/numbers/grid.ts'
import { seededRandomAt } from '../../src/domain/numbers/seeded-random.ts'
import { emptyColumns, type KlineColumns } from '../../src/klines/kline-columns.ts'
import { meanOf } from '../../src/research/statistics/sample/moments.ts'

/** Noise of prices. */
export interface PriceNoise {
  /** Standard deviation of a close, in parts of the mean range of a kline (high less low). */
  readonly share: number
  readonly seed: string
}

/**
 * Klines whose closes are moved by normal noise, and their opens by that of the close before, so that gaps stay what they
 * were; highs and lows move by the mean of both, and hold open and close. On the grid of the instrument.
 */
export function noisyKlines(klines: KlineColumns, instrument: Instrument, noise: PriceNoise): KlineColumns {
  const { length, openTime, open, high, low, close, volume } = klines
  const scale =
    noise.share * meanOf(high.map((top, row) => (top - (low[row] as number)) / (close[row] as number)))
  const streamAt = seededRandomAt(noise.seed)
  const onGrid = (price: number) =>
    priceOf(
      instrument,
      roundToTicks(instrument, Math.max(price, priceOf(instrument, instrument.minPrice)), 'nearest'),
    )
  const noisy = emptyColumns(length)
  noisy.openTime.set(openTime)
  noisy.volume.set(volume)
  let before = 1
  for (let row = 0; row < length; row++) {
    const after = 1 + scale * streamAt(row).normal()
    const [first, last] = [onGrid((open[row] as number) * before), onGrid((close[row] as number) * after)]
    const middle = (before + after) / 2
    noisy.open[row] = first
    noisy.close[row] = last
    noisy.high[row] = Math.max(first, last, onGrid((high[row] as number) * middle))
    noisy.low[row] = Math.min(first, last, onGrid((low[row] as number) * middle))
    before = after
  }
  return noisy
}
