import { wholeBook } from '../../../src/domain/book-names.ts'
import type { Amount } from '../../../src/domain/numbers/amount.ts'
import { priceOf, quantityOf } from '../../../src/domain/numbers/grid.ts'
import type { RoundTrip } from '../../../src/domain/round-trip.ts'
import type { ReplayedMarket } from '../market.ts'
import { type Excursion, excursionMeter } from './excursion.ts'

/** Figures of round trips for statistics, one row for each in the order given. */
export interface RoundTripColumns {
  /** Profit after fees, in quote. */
  readonly pnl: Float64Array
  /** Profit after fees ÷ notional of the entry: a fraction. */
  readonly returns: Float64Array
  /** Maximum adverse excursion, a fraction of the entry price; see `excursionMeter`. */
  readonly adverse: Float64Array
  /** Maximum favorable excursion, a fraction of the entry price. */
  readonly favorable: Float64Array
  readonly durationMs: Float64Array
  /** Notional of entry and exit together, in quote. */
  readonly volume: Float64Array
}

/**
 * Figures of round trips as columns. Figures that depend on the market are `NaN` if it is not among
 * `markets`.
 */
export function roundTripColumns(
  roundTrips: readonly RoundTrip[],
  markets: readonly ReplayedMarket[],
): RoundTripColumns {
  const column = () => new Float64Array(roundTrips.length).fill(Number.NaN)
  const columns = {
    pnl: column(),
    returns: column(),
    adverse: column(),
    favorable: column(),
    durationMs: column(),
    volume: column(),
  }
  const readers = new Map(
    markets.map(market => [market.book ?? market.instrument.symbol, readerOf(market, columns)]),
  )
  for (let row = 0; row < roundTrips.length; row++) {
    const roundTrip = roundTrips[row] as RoundTrip // inside the bounds
    columns.pnl[row] = statistic(roundTrip.pnl)
    columns.durationMs[row] = roundTrip.exitTime - roundTrip.entryTime
    readers.get(wholeBook(roundTrip.book))?.(roundTrip, row)
  }
  return columns
}

/** Fills the columns of a round trip that depend on its market; profits must be there already. */
function readerOf(
  market: ReplayedMarket,
  columns: RoundTripColumns,
): (roundTrip: RoundTrip, row: number) => void {
  const { instrument } = market
  const excursionOf = excursionMeter(market)
  return (roundTrip, row) => {
    const { adverse, favorable }: Excursion = excursionOf(roundTrip)
    const quantity = quantityOf(instrument, roundTrip.quantity)
    const entry = priceOf(instrument, roundTrip.entryPrice) * quantity
    columns.returns[row] = (columns.pnl[row] as number) / entry // inside the bounds
    columns.volume[row] = entry + priceOf(instrument, roundTrip.exitPrice) * quantity
    columns.adverse[row] = adverse
    columns.favorable[row] = favorable
  }
}

/** An amount as a double that may be one unit in the last place off: many times as fast as by its text. */
function statistic(amount: Amount): number {
  return Number(amount) / 1e18
}
