import { add, amountToNumber } from '../../../src/domain/numbers/amount.ts'
import type { RoundTripTally } from './round-trip-tally.ts'

/** Round trips that share a name. Money in quote. */
export interface RoundTripGroup {
  /** The shared name; `null` for round trips without one. */
  readonly name: string | null
  readonly roundTrips: number
  /** Fraction with a profit above 0. */
  readonly winRate: number
  /** Profit after fees of all of them, exact to the last digit of a double. */
  readonly netProfit: number
  /** Mean profit after fees ÷ notional of the entry: a fraction. */
  readonly averageReturn: number
  readonly averageDurationMs: number
}

/** Groups tallies by a name, the largest group first. */
export function roundTripGroups(
  tallies: readonly RoundTripTally[],
  nameOf: (tally: RoundTripTally) => string | undefined,
): RoundTripGroup[] {
  return [...Map.groupBy(tallies, nameOf)]
    .map(([name, members]) => groupOf(name ?? null, members))
    .sort((left, right) => right.roundTrips - left.roundTrips)
}

function groupOf(name: string | null, members: readonly RoundTripTally[]): RoundTripGroup {
  const sum = (of: (tally: RoundTripTally) => number) =>
    members.reduce((total, member) => total + of(member), 0)
  const count = sum(member => member.count)
  const profits = members.map(({ profit, loss }) => add(profit, loss))
  return {
    name,
    roundTrips: count,
    winRate: sum(({ wins }) => wins) / count,
    netProfit: amountToNumber(profits.reduce(add)),
    averageReturn: sum(({ returns }) => returns) / count,
    averageDurationMs: sum(({ durationMs }) => durationMs) / count,
  }
}
