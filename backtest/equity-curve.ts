const DAY_MS = 86_400_000

/** What the account was worth, in quote, positions marked at the close of each kline. */
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

/**
 * One return for every UTC day the curve touches: worth at the end of the day over worth at the end of the day before, less 1;
 * the first day starts from the start. A day without klines returns 0, a day the data ends in counts up to there. A close at
 * midnight belongs to the day that ends.
 */
export function dailyReturns(curve: EquityCurve): number[] {
  const returns: number[] = []
  let before = curve.startEquity
  let latest = curve.startEquity
  let day = Math.floor(curve.startTime / DAY_MS)
  for (let index = 0; index < curve.time.length; index++) {
    const dayOfClose = Math.ceil((curve.time[index] as number) / DAY_MS) - 1 // inside the bounds
    for (; day < dayOfClose; day++) {
      returns.push(latest / before - 1)
      before = latest
    }
    latest = curve.equity[index] as number // inside the bounds
  }
  if (curve.time.length > 0) returns.push(latest / before - 1)
  return returns
}
