/** First row of ascending times at or after `time`; the number of rows if there is none. */
export function firstRowAtOrAfter(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] as number) < time)
      low = middle + 1 // middle is inside the bounds
    else high = middle
  }
  return low
}

/** First of the rows `low` to `high - 1` of ascending times after `time`; `high` if there is none. */
export function firstRowAfter(times: ArrayLike<number>, time: number, low = 0, high = times.length): number {
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] as number) <= time)
      low = middle + 1 // middle is inside the bounds
    else high = middle
  }
  return low
}
