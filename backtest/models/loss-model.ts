import type { Steps } from '../../src/domain/numbers/grid.ts'

/** A fill that takes from the book, as models of its cost see it. */
export interface TakerFill {
  readonly quantity: Steps
  /** Volume of its kline in steps, not rounded. */
  readonly klineVolume: number
}

/** How much worse than the kline says a fill is. */
export interface Loss {
  /** A fraction of the price. */
  readonly rate: number
  /** A whole number of ticks on top. */
  readonly ticks: number
}

/** Tells what a fill that takes from the book loses to the market; several add up. */
export type LossModel = (fill: TakerFill) => Loss
