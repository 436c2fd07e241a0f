import { type Amount, add, amountToNumber, ZERO } from '../src/domain/amount.ts'
import type { RoundTrip } from '../src/domain/round-trip.ts'

/** What closed positions came to. Money in quote, after fees; `null` where there is nothing to divide by. */
export interface RoundTripStatistics {
  readonly roundTrips: number
  /** Fraction of round trips with a profit above 0. */
  readonly winRate: number | null
  /** Sum of profits ÷ sum of losses; `null` without a loss. */
  readonly profitFactor: number | null
  /** Mean profit of a round trip. */
  readonly expectancy: number | null
  readonly bestPnl: number | null
  readonly worstPnl: number | null
  readonly averageDurationMs: number | null
  /** Fees of all round trips together. */
  readonly fees: number
}

/** Adds up round trips, exactly, before anything becomes a `number`. */
export function roundTripStatistics(roundTrips: readonly RoundTrip[]): RoundTripStatistics {
  const pnls = roundTrips.map(({ pnl }) => pnl)
  const profit = sum(pnls.filter(pnl => pnl > 0n))
  const loss = sum(pnls.filter(pnl => pnl < 0n))
  const duration = roundTrips.reduce((total, { entryTime, exitTime }) => total + exitTime - entryTime, 0)
  return {
    roundTrips: roundTrips.length,
    winRate: divided(pnls.filter(pnl => pnl > 0n).length, roundTrips.length),
    profitFactor: divided(amountToNumber(profit), -amountToNumber(loss)),
    expectancy: divided(amountToNumber(sum(pnls)), roundTrips.length),
    bestPnl: outermost(pnls, (pnl, best) => pnl > best),
    worstPnl: outermost(pnls, (pnl, worst) => pnl < worst),
    averageDurationMs: divided(duration, roundTrips.length),
    fees: amountToNumber(sum(roundTrips.map(({ fees }) => fees))),
  }
}

function sum(amounts: readonly Amount[]): Amount {
  return amounts.reduce(add, ZERO)
}

function divided(value: number, divisor: number): number | null {
  return divisor === 0 ? null : value / divisor
}

function outermost(
  amounts: readonly Amount[],
  isFurther: (amount: Amount, than: Amount) => boolean,
): number | null {
  const [first, ...rest] = amounts
  if (first === undefined) return null
  return amountToNumber(rest.reduce((outer, amount) => (isFurther(amount, outer) ? amount : outer), first))
}
