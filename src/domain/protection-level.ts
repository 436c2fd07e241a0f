import type { Direction } from './orders/side.ts'
import type { PriceOrFraction, Protection } from './signal.ts'

/** Price of the stop-loss of a position that was entered at `entryPrice` (quote per base), if any. */
export function stopLossPrice(
  { stopLoss }: Protection,
  direction: Direction,
  entryPrice: number,
): number | undefined {
  return stopLoss === undefined ? undefined : levelOf(stopLoss, entryPrice, direction === 'long' ? -1 : 1)
}

/** Price of a level (quote per base): itself, or a fraction of `entryPrice` above it (`sign` 1) or below (-1). */
export function levelOf(level: PriceOrFraction, entryPrice: number, sign: 1 | -1): number {
  return typeof level === 'number' ? level : entryPrice * (1 + sign * level.fraction)
}
