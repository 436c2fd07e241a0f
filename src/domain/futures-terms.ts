import type { Amount, Rate } from './numbers/amount.ts'

/** Margin of a position: the whole account's, or its own (marginModel 1 and 2 of the interface). */
export type MarginMode = 'cross' | 'isolated'

/** One net position of a contract, or a long and a short one side by side (positionModel 1 and 2). */
export type PositionMode = 'oneWay' | 'twoWay'

/** Maintenance margin rate of a range of notional. */
export interface MaintenanceTier {
  /** Upper end of the range, in quote, included; without it, unlimited. */
  readonly upTo?: Amount | undefined
  /** Rate of the whole notional. */
  readonly rate: Rate
}

/** Terms of a linear perpetual contract on the account. Its margin is in quote. */
export interface FuturesTerms {
  /** Notional ÷ initial margin: a whole number, as in the interface. */
  readonly leverage: number
  readonly marginMode: MarginMode
  readonly positionMode: PositionMode
  /** Ascending; the last tier should have no upper end. */
  readonly maintenance: readonly MaintenanceTier[]
}
