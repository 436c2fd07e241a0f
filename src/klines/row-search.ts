/** The first row of ascending times that is not before `time`; their number where there is none. */
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

/** The first of the rows `low` to `high - 1` of ascending times that is after `time`; `high` where there is none. */
export function firstRowAfter(times: ArrayLike<number>, time: number, low = 0, high = times.length): number {
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] as number) <= time)
      low = middle + 1 // middle is inside the bounds
    else high = middle
  }
  return low
}
