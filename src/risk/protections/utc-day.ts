const DAY_MS = 86_400_000

/** Start of the day of a time, ms UTC: midnight belongs to the day that it ends. */
export function dayUntil(time: number): number {
  return Math.floor((time - 1) / DAY_MS) * DAY_MS
}

/** Start of the day after one that starts at `day`, ms UTC. */
export function dayAfter(day: number): number {
  return day + DAY_MS
}
