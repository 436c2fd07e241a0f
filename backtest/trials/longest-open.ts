import type { Position } from '../../src/domain/position.ts'

/** Time that the oldest lot of open positions has been held for at `endTime` (ms UTC), in ms; 0 without any. */
export function longestOpen(positions: readonly Position[], endTime: number): number {
  const lots = positions.flatMap(position => position.lots)
  return lots.reduce((longest, { time }) => Math.max(longest, endTime - time), 0)
}
