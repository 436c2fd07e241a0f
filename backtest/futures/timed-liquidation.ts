import type { Liquidation } from '../../src/domain/events/liquidation.ts'

/** A position that the exchange took over, and when. */
export interface TimedLiquidation extends Liquidation {
  /** Open of the kline on which that happened, ms UTC. */
  readonly time: number
}
