/** What an account, or anything held, was worth over time, in quote. */
export interface EquityCurve {
  /** Open of the first kline, ms UTC. */
  readonly startTime: number
  /** Worth before the first kline. */
  readonly startEquity: number
  /** Closes of the klines, ms UTC, ascending. */
  readonly time: ArrayLike<number>
  /** Worth at each close; as long as `time`. */
  readonly equity: ArrayLike<number>
}

/** The last time and worth; those of the start where there is no kline. */
export function endOf({ startTime, startEquity, time, equity }: EquityCurve): {
  time: number
  equity: number
} {
  const last = time.length - 1
  return { time: time[last] ?? startTime, equity: equity[last] ?? startEquity }
}
