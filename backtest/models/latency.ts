/** Returns the time (ms UTC) from which an order can trade, given its decision time (ms UTC). */
export type Latency = (decidedAt: number) => number

/**
 * An order becomes live `ms` after its decision. It trades from the first open on that is not before that moment: klines
 * tell no price between their open and their close, so a delay is rounded up to whole klines (of `detail`, where there is one).
 */
export function fixedLatency(ms: number): Latency {
  if (ms === 0) return () => Number.NEGATIVE_INFINITY
  return decidedAt => decidedAt + ms
}
