import type { Steps } from '../../src/domain/numbers/grid.ts'

/** A fill that takes from the book, as models of its cost see it. */
export interface TakerFill {
  readonly quantity: Steps
  /** Volume of its kline in steps, not rounded. */
  readonly klineVolume: number
}

/** Loss of a fill against the price of the kline. */
export interface Loss {
  /** A fraction of the price. */
  readonly rate: number
  /** A whole number of ticks on top. */
  readonly ticks: number
}

/** Returns the loss to the market of a taking fill; several models add up. */
export type LossModel = (fill: TakerFill) => Loss
