/** Klines close at whole minutes: what follows from them takes seconds, and nothing should hold it up when it begins. */
const [MINUTE_MS, BUSY_FIRST_MS, BUSY_LAST_MS] = [60_000, 3000, 200]

/** Whether no kline closes about now (exchange time, ms UTC), so that what may wait is best done. */
export function isCalm(now: number): boolean {
  const since = ((now % MINUTE_MS) + MINUTE_MS) % MINUTE_MS
  return since >= BUSY_FIRST_MS && since < MINUTE_MS - BUSY_LAST_MS
}
