import { type Amount, add, ZERO } from '../../../src/domain/numbers/amount.ts'
import type { Purpose } from '../../../src/domain/orders/order-intent.ts'
import type { Direction } from '../../../src/domain/orders/side.ts'
import type { RoundTrip } from '../../../src/domain/round-trip.ts'

/** Round trips of one direction, exit reason and tag, added up; money exactly. */
export interface RoundTripTally {
  readonly direction: Direction
  readonly exitReason: Purpose
  readonly tag: string | undefined
  count: number
  wins: number
  losses: number
  /** Sum of the profits above 0, in quote. */
  profit: Amount
  /** Sum of the profits below 0, in quote. */
  loss: Amount
  /** In quote. */
  fees: Amount
  /** Sum of the returns. */
  returns: number
  durationMs: number
}

/** Adds up round trips by direction, exit reason and tag in one pass, in order of first appearance; `returns` are theirs. */
export function talliesOf(roundTrips: readonly RoundTrip[], returns: Float64Array): RoundTripTally[] {
  const byTag = new Map<string | undefined, RoundTripTally[]>()
  for (let row = 0; row < roundTrips.length; row++) {
    const roundTrip = roundTrips[row] as RoundTrip // inside the bounds
    const tallies = byTag.get(roundTrip.tag) ?? []
    if (tallies.length === 0) byTag.set(roundTrip.tag, tallies)
    addTo(tallyFor(roundTrip, tallies), roundTrip, returns[row] as number) // as long as the round trips
  }
  return [...byTag.values()].flat()
}

/** The tally of a round trip among those of its tag, which are few; a new one is added. */
function tallyFor({ direction, exitReason, tag }: RoundTrip, tallies: RoundTripTally[]): RoundTripTally {
  for (const tally of tallies) {
    if (tally.direction === direction && tally.exitReason === exitReason) return tally
  }
  const sums = {
    count: 0,
    wins: 0,
    losses: 0,
    profit: ZERO,
    loss: ZERO,
    fees: ZERO,
    returns: 0,
    durationMs: 0,
  }
  const tally = { direction, exitReason, tag, ...sums }
  tallies.push(tally)
  return tally
}

function addTo(
  tally: RoundTripTally,
  { pnl, fees, entryTime, exitTime }: RoundTrip,
  returnOfTrip: number,
): void {
  tally.count++
  if (pnl > 0n) {
    tally.wins++
    tally.profit = add(tally.profit, pnl)
  } else if (pnl < 0n) {
    tally.losses++
    tally.loss = add(tally.loss, pnl)
  }
  tally.fees = add(tally.fees, fees)
  tally.returns += returnOfTrip
  tally.durationMs += exitTime - entryTime
}
