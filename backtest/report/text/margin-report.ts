import type { FuturesTerms } from '../../../src/domain/futures-terms.ts'
import type { Amount } from '../../../src/domain/numbers/amount.ts'
import type { MarginFigures } from '../../futures/margin-use.ts'
import type { TimedLiquidation } from '../../futures/timed-liquidation.ts'

/** What a report tells of a futures account. */
export interface MarginReport
  extends MarginFigures,
    Pick<FuturesTerms, 'leverage' | 'marginMode' | 'positionMode'> {
  /** Which klines the mark price was taken from: its own, or those that were traded on; `various` where contracts differ. */
  readonly mark: ContractReport['mark'] | 'various'
  /** Where funding rates were from. */
  readonly funding: ContractReport['funding'] | 'various'
  /** Each contract, where there are several. */
  readonly contracts?: readonly ContractReport[]
  /** In order of time. */
  readonly liquidations: readonly TimedLiquidation[]
}

/** One of the contracts of a futures account. */
export interface ContractReport {
  readonly symbol: string
  readonly mark: 'markKlines' | 'tradedKlines'
  readonly funding: 'none' | 'constant' | 'list'
  /** How often funding was settled while a position was held. */
  readonly settlements: number
  /** Funding in quote: above 0 it was paid, below it was received. */
  readonly paid: Amount
}
