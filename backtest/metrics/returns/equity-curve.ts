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

/** The first time at which nothing was left; that of the end where there always was something. */
export function ruinTimeOf(curve: EquityCurve): number {
  const { time, equity } = curve
  for (let row = 0; row < equity.length; row++) if ((equity[row] as number) <= 0) return time[row] as number // a row
  return endOf(curve).time
}

/** The last time and worth; those of the start where there is no kline. */
export function endOf({ startTime, startEquity, time, equity }: EquityCurve): {
  time: number
  equity: number
} {
  const last = time.length - 1
  return { time: time[last] ?? startTime, equity: equity[last] ?? startEquity }
}
