import type { FuturesTerms } from '../../../src/domain/futures-terms.ts'
import type { Amount } from '../../../src/domain/numbers/amount.ts'
import type { MarginFigures } from '../../futures/margin-use.ts'
import type { TimedLiquidation } from '../../futures/timed-liquidation.ts'

/** Rules and margin figures of a futures account. */
export interface MarginReport
  extends MarginFigures,
    Pick<FuturesTerms, 'leverage' | 'marginMode' | 'positionMode'> {
  /** Source of the mark price: its own klines or those recorded with ticks, or the traded klines or ticks; `various` where contracts differ. */
  readonly mark: ContractReport['mark'] | 'various'
  /** Source of the funding rates. */
  readonly funding: ContractReport['funding'] | 'various'
  /** Each contract, where there are several. */
  readonly contracts?: readonly ContractReport[]
  /** In order of time. */
  readonly liquidations: readonly TimedLiquidation[]
}

/** One of the contracts of a futures account. */
export interface ContractReport {
  readonly symbol: string
  readonly mark: 'markKlines' | 'recordedMarks' | 'tradedKlines' | 'recordedTicks'
  readonly funding: 'none' | 'constant' | 'list'
  /** Number of funding settlements while a position was held. */
  readonly settlements: number
  /** Funding in quote: above 0 it was paid, below it was received. */
  readonly paid: Amount
}
