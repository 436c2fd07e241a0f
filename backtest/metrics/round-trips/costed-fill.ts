import type { Amount } from '../../../src/domain/numbers/amount.ts'
import type { Fill } from '../../../src/domain/orders/fill.ts'

/** A fill, with its loss to the market if the fill model gives one. */
export interface CostedFill extends Fill {
  /** Book of the position it changed, if that is not the symbol. */
  readonly book?: string
  /** Quote lost against the price without slippage; positive is against us. */
  readonly slippage?: Amount
}
