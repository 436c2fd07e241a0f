/** Value over time of an account, or of any asset held, in quote. */
export interface EquityCurve {
  /** Open of the first kline, ms UTC. */
  readonly startTime: number
  /** Equity before the first kline. */
  readonly startEquity: number
  /** Closes of the klines, ms UTC, ascending. */
  readonly time: ArrayLike<number>
  /** Equity at each close; as long as `time`. */
  readonly equity: ArrayLike<number>
}

/** The first time without positive equity; the end time if there is none. */
export function ruinTimeOf(curve: EquityCurve): number {
  const { time, equity } = curve
  for (let row = 0; row < equity.length; row++) if ((equity[row] as number) <= 0) return time[row] as number // a row
  return endOf(curve).time
}

/** The last time and equity; those of the start without klines. */
export function endOf({ startTime, startEquity, time, equity }: EquityCurve): {
  time: number
  equity: number
} {
  const last = time.length - 1
  return { time: time[last] ?? startTime, equity: equity[last] ?? startEquity }
}
