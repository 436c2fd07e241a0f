import type { Instrument } from '../../src/domain/instrument.ts'
import { type Amount, ZERO } from '../../src/domain/numbers/amount.ts'
import { notionalOf, ticks } from '../../src/domain/numbers/grid.ts'
import type { SimulatedFill } from './simulated-fill.ts'

/** Quote that a fill lost to slippage and spread, exact. */
export function slippageOf(
  instrument: Instrument,
  { price, priceBeforeSlippage, quantity }: Pick<SimulatedFill, 'price' | 'priceBeforeSlippage' | 'quantity'>,
): Amount {
  const lost = ticks(Math.abs(price - priceBeforeSlippage))
  return lost === 0 ? ZERO : notionalOf(instrument, lost, quantity)
}
