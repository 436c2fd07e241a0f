import type { Amount, Rate } from './numbers/amount.ts'

/** Whether a position is backed by the whole account or by money of its own (marginModel 1 and 2 of the interface). */
export type MarginMode = 'cross' | 'isolated'

/** Whether an account holds one position of a contract, or a long and a short one side by side (positionModel 1 and 2). */
export type PositionMode = 'oneWay' | 'twoWay'

/** Up to which worth of a position a maintenance rate applies. */
export interface MaintenanceTier {
  /** In quote, included; without it, to any worth. */
  readonly upTo?: Amount | undefined
  /** Of the whole worth. */
  readonly rate: Rate
}

/** How an account holds a linear perpetual contract. Its margin is in quote. */
export interface FuturesTerms {
  /** Worth of a position ÷ its initial margin: a whole number, as the interface has it. */
  readonly leverage: number
  readonly marginMode: MarginMode
  readonly positionMode: PositionMode
  /** Ascending; the last one should have no end. */
  readonly maintenance: readonly MaintenanceTier[]
}
