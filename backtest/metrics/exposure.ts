/** A time in the market, ms UTC. */
export interface TimeInMarket {
  readonly entryTime: number
  readonly exitTime: number
}

/** The fraction of the time from `start` to `end` (ms UTC) in which at least one position was open; 0 for no time at all. */
export function exposureOf(holdings: readonly TimeInMarket[], start: number, end: number): number {
  let covered = 0
  let coveredUntil = start
  let before = Number.NEGATIVE_INFINITY
  for (let row = 0; row < holdings.length; row++) {
    const { entryTime, exitTime } = holdings[row] as TimeInMarket // inside the bounds
    // Mostly they are in order of entry already.
    if (entryTime < before) return exposureOf(holdings.toSorted(byEntry), start, end)
    before = entryTime
    const until = exitTime < end ? exitTime : end
    if (until <= coveredUntil) continue
    covered += until - (entryTime > coveredUntil ? entryTime : coveredUntil)
    coveredUntil = until
  }
  return end > start ? covered / (end - start) : 0
}

function byEntry(left: TimeInMarket, right: TimeInMarket): number {
  return left.entryTime - right.entryTime
}
