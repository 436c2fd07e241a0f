import type { Ban } from './block-store.ts'

const FIRST_BAN_MS = 2 * 60_000
/** Longest ban, ms; as long without a ban resets the count of bans in a row. */
export const LONGEST_BAN_MS = 3 * 24 * 60 * 60_000

/**
 * Ban that an HTTP 418 means: until `hintedUntil` if the exchange gives it, else 2 minutes, doubled with
 * every ban in a row up to 3 days (interface section 7.2 gives the bounds; the steps between them are not
 * documented).
 */
export function nextBan(previous: Ban | undefined, now: number, hintedUntil: number | undefined): Ban {
  const inARow = previous !== undefined && now - previous.until <= LONGEST_BAN_MS
  const strikes = inARow ? previous.strikes + 1 : 1
  const grown = Math.min(LONGEST_BAN_MS, FIRST_BAN_MS * 2 ** (strikes - 1))
  return { since: now, until: hintedUntil ?? now + grown, strikes }
}
