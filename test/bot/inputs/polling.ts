/** How the bots of tests poll. */
export const POLLING = {
  tickerMs: 5000,
  klineDelayMs: 500,
  balancesMs: 10_000,
  listingsMs: 60_000,
  weightPerMinute: 12_000,
  orderShare: 0.25,
  staleAfterMs: 30_000,
  mergeWaitMs: 5000,
} as const
