/** How far the times of the exchange's lists may lie before the timestamp of a request, ms. */
export const CLOCK_SLACK_MS = 60_000
