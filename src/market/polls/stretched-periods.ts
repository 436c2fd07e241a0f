/** A poll whose period may be stretched. */
export interface StretchablePoll {
  /** Weight of one call. */
  readonly weight: number
  /** Wanted period, ms. */
  readonly everyMs: number
  /** Longest acceptable period, ms. */
  readonly slowestMs: number
}

const MINUTE = 60_000

/**
 * The shortest periods (ms) that cost at most `available` weight a minute: all are stretched by one factor,
 * none beyond its slowest. `undefined` if even the slowest cost more.
 */
export function stretchedPeriods(
  polls: readonly StretchablePoll[],
  available: number,
): readonly number[] | undefined {
  let factor = 1
  for (;;) {
    const slowest = polls.filter(poll => isAtItsSlowest(poll, factor))
    const rest = polls.filter(poll => !isAtItsSlowest(poll, factor))
    const left = available - sum(slowest.map(poll => (poll.weight * MINUTE) / poll.slowestMs))
    const wanted = sum(rest.map(poll => (poll.weight * MINUTE) / poll.everyMs))
    if (left < 0 || (left === 0 && wanted > 0)) return undefined
    const needed = Math.max(1, wanted / Math.max(left, Number.MIN_VALUE))
    if (needed <= factor) return polls.map(poll => periodAt(poll, factor))
    factor = needed
  }
}

function isAtItsSlowest({ everyMs, slowestMs }: StretchablePoll, factor: number): boolean {
  return everyMs * factor > slowestMs
}

/** Whole ms, rounded up: the clock is no finer, and rounded down the polls might not fit. */
function periodAt(poll: StretchablePoll, factor: number): number {
  return Math.ceil(Math.min(poll.everyMs * factor, poll.slowestMs) - 1e-9)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
