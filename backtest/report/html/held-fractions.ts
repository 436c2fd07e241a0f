import type { TimeInMarket } from '../../metrics/exposure.ts'

/** Equal spans of time that cover a run; all times in ms UTC. The run may begin and end inside a span. */
export interface RunSpans {
  /** Begin of the first span. */
  readonly start: number
  readonly lengthMs: number
  readonly count: number
  /** Begin and end of the run. */
  readonly runStart: number
  readonly runEnd: number
}

/** Fraction of the run's time in each span with an open position. */
export function heldFractions(holdings: readonly TimeInMarket[], spans: RunSpans): Float64Array {
  const { start, lengthMs, count, runStart, runEnd } = spans
  const fractions = new Float64Array(count)
  for (const { entryTime, exitTime } of merged(holdings)) {
    const first = Math.max(0, Math.floor((entryTime - start) / lengthMs))
    for (let span = first; span < count && start + span * lengthMs < exitTime; span++) {
      const begin = Math.max(runStart, start + span * lengthMs)
      const end = Math.min(runEnd, start + (span + 1) * lengthMs)
      const held = Math.min(exitTime, end) - Math.max(entryTime, begin)
      if (held > 0) fractions[span] = (fractions[span] as number) + held / (end - begin) // inside the bounds
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
