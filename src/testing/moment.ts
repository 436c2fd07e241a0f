import { UsageError } from '../domain/sluice-error.ts'

/** A date, or a date and a time in UTC. */
const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z)?$/

/** A time in ms UTC from ms, or from an ISO date or time in UTC; throws `UsageError` for anything else. */
export function momentOf(given: number | string): number {
  const time = typeof given === 'number' ? given : parsed(given)
  if (Number.isSafeInteger(time)) return time
  throw new UsageError(
    `"${given}" is not a moment; write ms since 1970, or 2024-01-01, or 2024-01-01T08:00Z (UTC).`,
  )
}

/** NaN for an invalid date, such as the 31st of February, which would become the 2nd of March. */
function parsed(text: string): number {
  const time = ISO.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) || new Date(time).toISOString().startsWith(text.slice(0, 10)) ? time : Number.NaN
}
