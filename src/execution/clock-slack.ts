/** Tolerance of times in the exchange's lists before the timestamp of a request, ms. */
export const CLOCK_SLACK_MS = 60_000
