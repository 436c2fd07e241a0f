import { closeTimeOf, type Interval } from '../../../src/domain/market-data/interval.ts'
import { seededRandom } from '../../../src/domain/numbers/seeded-random.ts'
import type { KlineColumns } from '../../../src/klines/kline-columns.ts'

/** Replacement of the klines after a moment. */
export interface OtherFuture {
  /** The last row that stays as it is; at least one row must follow it. -1 for none. */
  readonly cut: number
  /** True if the row after it has opened already: then its open and its volume stay. */
  readonly isOpened?: boolean
  /** Number of klines after it; then the data ends, which is a change as well. */
  readonly ahead: number
  readonly seed: number
}

/** The first other kline goes the other way by at least this part of the price. */
const FIRST_STEP = 0.005
/** Largest deviation of each later kline from the mirror image, as a fraction. */
const STRAY = 0.0005

/**
 * `klines` with another future: prices mirrored at the close of `cut` (a rise becomes a fall by the same
 * factor), with a seeded walk on top that begins against the true next kline, and other volumes. Every other
 * kline opens one place later, so that all events after the cut have a time after its close, and none before
 * it. A kline that has opened continues from its own open.
 */
export function withOtherFuture(
  klines: KlineColumns,
  interval: Interval,
  { cut, isOpened = false, ahead, seed }: OtherFuture,
): KlineColumns {
  const length = Math.min(klines.length, cut + 1 + ahead)
  const copy = (column: Float64Array) => column.slice(0, length)
  const [open, high, low, close] = [
    copy(klines.open),
    copy(klines.high),
    copy(klines.low),
    copy(klines.close),
  ]
  const [openTime, volume] = [copy(klines.openTime), copy(klines.volume)]
  const random = seededRandom(seed).uniform
  const pivot = (cut < 0 ? open[0] : close[cut]) as number // rows exist, here and below
  const isRising = (klines.close[cut + 1] as number) >= pivot
  let factor = 1 + (isRising ? -1 : 1) * FIRST_STEP * (1 + random())
  for (let row = cut + 1; row < length; row++) {
    const mirrored = (price: number) => ((pivot * pivot) / price) * factor
    const goesOn = isOpened && row === cut + 1
    if (!goesOn) open[row] = mirrored(klines.open[row] as number)
    high[row] = mirrored(klines.low[row] as number)
    low[row] = mirrored(klines.high[row] as number)
    close[row] = mirrored(klines.close[row] as number)
    if (goesOn) {
      high[row] = Math.max(high[row] as number, open[row] as number)
      low[row] = Math.min(low[row] as number, open[row] as number)
      continue
    }
    volume[row] = (klines.volume[row] as number) * (0.5 + random()) + random()
    const own = klines.openTime[row] as number
    openTime[row] = klines.openTime[row + 1] ?? closeTimeOf(own, interval)
    factor *= 1 + STRAY * (2 * random() - 1)
  }
  return { length, openTime, open, high, low, close, volume }
}
