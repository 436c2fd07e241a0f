/** A time in the market, ms UTC. */
export interface Holding {
  readonly entryTime: number
  readonly exitTime: number
}

/** The fraction of the time from `start` to `end` (ms UTC) in which at least one position was open; 0 for no time at all. */
export function exposureOf(holdings: readonly Holding[], start: number, end: number): number {
  let covered = 0
  let coveredUntil = start
  for (const { entryTime, exitTime } of holdings.toSorted(
    (left, right) => left.entryTime - right.entryTime,
  )) {
    const until = Math.min(exitTime, end)
    covered += Math.max(0, until - Math.max(entryTime, coveredUntil))
    coveredUntil = Math.max(coveredUntil, until)
  }
  return end > start ? covered / (end - start) : 0
}
