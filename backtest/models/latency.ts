/** Returns the time (ms UTC) from which an order can trade, given its decision time (ms UTC). */
export type Latency = (decidedAt: number) => number

/**
 * An order becomes live `ms` after its decision. It trades from the first open at or after that moment:
 * klines give no price between their open and their close, so a delay is rounded up to whole klines (of
 * `detail`, if given).
 */
export function fixedLatency(ms: number): Latency {
  return decidedAt => decidedAt + ms
}
