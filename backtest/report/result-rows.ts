import { type Grid, priceOf, quantityOf } from '../../src/domain/grid.ts'
import type { RoundTrip } from '../../src/domain/round-trip.ts'
import type { CostedFill } from '../metrics/costed-fill.ts'
import type { RoundTripColumns } from '../metrics/round-trip-columns.ts'
import { exactNumber } from './exact-number.ts'
import type { GridOf } from './grids-of.ts'
import { shortFraction } from './short-fraction.ts'

/**
 * Round trips as data for JSON, with their keys in one order: money in quote, times in ms UTC, excursions as fractions.
 * Prices, quantities and money keep all their digits: those of a grid fit into a double's shortest text.
 */
export function roundTripRows(
  roundTrips: readonly RoundTrip[],
  { adverse, favorable }: RoundTripColumns,
  gridOf: GridOf,
): readonly object[] {
  return roundTrips.map((roundTrip, row) => {
    const grid: Grid = gridOf(roundTrip.symbol)
    return {
      symbol: roundTrip.symbol,
      direction: roundTrip.direction,
      quantity: quantityOf(grid, roundTrip.quantity),
      entryTime: roundTrip.entryTime,
      entryPrice: priceOf(grid, roundTrip.entryPrice),
      exitTime: roundTrip.exitTime,
      exitPrice: priceOf(grid, roundTrip.exitPrice),
      pnl: exactNumber(roundTrip.pnl),
      fees: exactNumber(roundTrip.fees),
      entryReason: roundTrip.entryReason,
      exitReason: roundTrip.exitReason,
      tag: roundTrip.tag ?? null,
      mae: shortFraction(adverse[row]) ?? null,
      mfe: shortFraction(favorable[row]) ?? null,
    }
  })
}

/** Fills as data for JSON, with `slippage` where the fill model tells it. */
export function fillRows(fills: readonly CostedFill[], gridOf: GridOf): readonly object[] {
  return fills.map(fill => {
    const grid: Grid = gridOf(fill.symbol)
    return {
      id: fill.id,
      clientOrderId: fill.clientOrderId,
      symbol: fill.symbol,
      side: fill.side,
      price: priceOf(grid, fill.price),
      quantity: quantityOf(grid, fill.quantity),
      fee: exactNumber(fill.fee),
      feeAsset: fill.feeAsset,
      liquidity: fill.liquidity,
      slippage: fill.slippage === undefined ? undefined : exactNumber(fill.slippage),
      time: fill.time,
    }
  })
}
