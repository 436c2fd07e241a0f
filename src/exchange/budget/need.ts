import type { SlidingWindow } from './sliding-window.ts'

/** One limit that a call counts for. */
export interface Need {
  readonly window: SlidingWindow
  readonly weight: number
  /** Part of the limit that the call's lane may use up. */
  readonly allowance: number
}

/** True if a call fits within all its limits now. */
export function fits(needs: readonly Need[], now: number): boolean {
  return needs.every(need => isMet(need, now))
}

/** Limits within which a call does not fit now. */
export function exceededOf(needs: readonly Need[], now: number): readonly Need[] {
  return needs.filter(need => !isMet(need, now))
}

function isMet({ window, weight, allowance }: Need, now: number): boolean {
  return window.used(now) + weight <= allowance
}

/** Time at which a call fits within all its limits, ms; infinite while that depends on calls in flight. */
export function fitsAt(needs: readonly Need[], now: number): number {
  const moments = needs.map(({ window, weight, allowance }) => window.fitsAt(weight, allowance, now))
  return Math.max(...moments.map(moment => moment ?? Number.POSITIVE_INFINITY))
}
