import type { TimeInMarket } from '../../metrics/exposure.ts'

/** Fraction of each of equal spans of time from `start` on (ms UTC) with an open position. */
export function heldFractions(
  holdings: readonly TimeInMarket[],
  start: number,
  lengthMs: number,
  count: number,
): Float64Array {
  const fractions = new Float64Array(count)
  for (const { entryTime, exitTime } of merged(holdings)) {
    const first = Math.max(0, Math.floor((entryTime - start) / lengthMs))
    for (let span = first; span < count && start + span * lengthMs < exitTime; span++) {
      const from = Math.max(entryTime, start + span * lengthMs)
      const to = Math.min(exitTime, start + (span + 1) * lengthMs)
      fractions[span] = (fractions[span] as number) + (to - from) / lengthMs // inside the bounds
    }
  }
  return fractions
}

/** Holdings that overlap become one. */
function merged(holdings: readonly TimeInMarket[]): TimeInMarket[] {
  const result: { entryTime: number; exitTime: number }[] = []
  for (const { entryTime, exitTime } of holdings.toSorted(
    (left, right) => left.entryTime - right.entryTime,
  )) {
    const last = result.at(-1)
    if (last !== undefined && entryTime <= last.exitTime) last.exitTime = Math.max(last.exitTime, exitTime)
    else result.push({ entryTime, exitTime })
  }
  return result
}
