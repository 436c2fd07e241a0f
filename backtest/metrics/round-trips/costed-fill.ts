import type { Amount } from '../../../src/domain/numbers/amount.ts'
import type { Fill } from '../../../src/domain/orders/fill.ts'

/** A fill, and what it lost to the market if the fill model says so. */
export interface CostedFill extends Fill {
  /** Whose position it changed, where that is not the symbol. */
  readonly book?: string
  /** Quote lost against the price without slippage; positive is against us. */
  readonly slippage?: Amount
}
