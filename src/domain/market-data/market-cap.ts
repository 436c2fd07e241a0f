import type { Instrument } from '../instrument.ts'
import { priceOf, roundToTicks, type Ticks } from '../numbers/grid.ts'
import type { Side } from '../orders/side.ts'

/**
 * Price limit of a market order that is sent as a limit order: `rate` (a fraction) beyond the reference
 * price, rounded to the grid within that fraction.
 */
export function marketCap(instrument: Instrument, reference: Ticks, side: Side, rate: number): Ticks {
  const worst = priceOf(instrument, reference) * (side === 'buy' ? 1 + rate : 1 - rate)
  return roundToTicks(instrument, worst, side === 'buy' ? 'down' : 'up')
}
