import type { FuturesTerms } from '../../src/domain/futures-terms.ts'
import type { MarginFigures } from '../futures/margin-use.ts'
import type { TimedLiquidation } from '../futures/timed-liquidation.ts'

/** What a report tells of a futures account. */
export interface MarginReport
  extends MarginFigures,
    Pick<FuturesTerms, 'leverage' | 'marginMode' | 'positionMode'> {
  /** Which klines the mark price was taken from: its own, or those that were traded on. */
  readonly mark: 'markKlines' | 'tradedKlines'
  /** Where funding rates were from. */
  readonly funding: 'none' | 'constant' | 'list'
  /** In order of time. */
  readonly liquidations: readonly TimedLiquidation[]
}
