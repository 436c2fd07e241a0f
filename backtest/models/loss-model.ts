import type { Kline } from '../../src/domain/market-data/kline.ts'
import type { Steps } from '../../src/domain/numbers/grid.ts'

/** Loss of a fill against the price of the kline. */
export interface Loss {
  /** A fraction of the price. */
  readonly rate: number
  /** A whole number of ticks on top. */
  readonly ticks: number
}

/** Returns the loss to the market of a quantity taken from the book on a kline; several models add up. */
export type LossModel = (quantity: Steps, kline: Pick<Kline, 'volume'>) => Loss
