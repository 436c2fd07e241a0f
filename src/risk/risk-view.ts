import type { Amount } from '../domain/amount.ts'
import type { Instrument } from '../domain/instrument.ts'

/** What risk needs to know of the account and the instrument at the moment of a decision. */
export interface RiskView {
  readonly instrument: Instrument
  /** Everything owned, in quote, at the latest prices. */
  readonly equity: Amount
  /** The quote balance less what working orders may take; of a futures account, less the margin of positions that stay. */
  readonly freeQuote: Amount
  /** The base balance, reservations included. */
  readonly ownedBase: Amount
  /** Signed steps of the instrument that all strategies together hold once the market orders on their way have traded; negative is short. */
  readonly projectedPosition: number
}
