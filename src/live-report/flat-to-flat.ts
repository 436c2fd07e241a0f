import { type Amount, add } from '../domain/numbers/amount.ts'
import type { RoundTrip } from '../domain/round-trip.ts'

/** Everything that a book did from the moment it held something until it held nothing. */
export interface FlatToFlat {
  /** ms UTC. */
  readonly exitTime: number
  /** Sum of its round trips, after fees, in quote. */
  readonly pnl: Amount
}

/**
 * Trades from flat to flat that round trips are parts of: an order that fills in parts makes a round trip of each part, whose
 * times in the market overlap. What is closed of a position that is still open counts as one.
 */
export function flatToFlat(roundTrips: readonly RoundTrip[]): readonly FlatToFlat[] {
  return [...Map.groupBy(roundTrips, ({ book }) => book).values()].flatMap(ofBook => {
    const trades: FlatToFlat[] = []
    let current: RoundTrip['direction'] | undefined
    for (const { direction, entryTime, exitTime, pnl } of ofBook.toSorted(
      (left, right) => left.entryTime - right.entryTime,
    )) {
      const before = trades.at(-1)
      if (before !== undefined && direction === current && entryTime < before.exitTime)
        trades[trades.length - 1] = {
          exitTime: Math.max(before.exitTime, exitTime),
          pnl: add(before.pnl, pnl),
        }
      else trades.push({ exitTime, pnl })
      current = direction
    }
    return trades
  })
}
