import type { LimitSettings } from './limit-settings.ts'

/** Refusals and bans of an address. */
export interface Offender {
  /** Calls in vain since the first of them, and when that was, ms UTC. */
  readonly refusals: number
  readonly refusedSince: number
  /** Bans so far, and when the last one ends, ms UTC. */
  readonly bans: number
  readonly bannedUntil: number
}

const MINUTE = 60_000

/** An address without refusals. */
export const NO_OFFENDER: Offender = {
  refusals: 0,
  refusedSince: Number.NEGATIVE_INFINITY,
  bans: 0,
  bannedUntil: Number.NEGATIVE_INFINITY,
}

/** The record after one more refused call at `now`, ms UTC; one too many within a minute causes a ban. */
export function afterRefusal(offender: Offender, settings: LimitSettings, now: number): Offender {
  const isFirst = now - offender.refusedSince >= MINUTE
  const refusals = isFirst ? 1 : offender.refusals + 1
  if (refusals <= settings.toleratedRefusals) {
    return { ...offender, refusals, refusedSince: isFirst ? now : offender.refusedSince }
  }
  // After a quiet time as long as the longest ban, the count starts anew.
  const bans = now - offender.bannedUntil > settings.longestBanMs ? 0 : offender.bans
  const length = Math.min(settings.firstBanMs * 2 ** bans, settings.longestBanMs)
  return { refusals: 0, refusedSince: Number.NEGATIVE_INFINITY, bans: bans + 1, bannedUntil: now + length }
}
