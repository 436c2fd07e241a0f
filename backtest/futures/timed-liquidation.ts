import type { Liquidation } from '../../src/domain/events/liquidation.ts'

/** A liquidated position, and its time. */
export interface TimedLiquidation extends Liquidation {
  /** Open of the kline on which that happened, ms UTC. */
  readonly time: number
}
