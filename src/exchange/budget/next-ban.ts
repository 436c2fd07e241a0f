import type { Ban } from './ban-store.ts'

const FIRST_BAN_MS = 2 * 60_000
/** The longest ban; a good conduct as long as this also wipes the slate. */
export const LONGEST_BAN_MS = 3 * 24 * 60 * 60_000

/**
 * The ban that an HTTP 418 means: until `hintedUntil` where the exchange says so, else 2 minutes, doubling with every ban
 * in a row up to 3 days (interface section 7.2 gives the bounds; the steps between them are not documented).
 */
export function nextBan(previous: Ban | undefined, now: number, hintedUntil: number | undefined): Ban {
  const inARow = previous !== undefined && now - previous.until <= LONGEST_BAN_MS
  const strikes = inARow ? previous.strikes + 1 : 1
  const grown = Math.min(LONGEST_BAN_MS, FIRST_BAN_MS * 2 ** (strikes - 1))
  return { since: now, until: hintedUntil ?? now + grown, strikes }
}
