import { type Grid, priceOf, quantityOf } from '../../../src/domain/numbers/grid.ts'
import type { RoundTrip } from '../../../src/domain/round-trip.ts'
import type { FillEvidence } from '../../../src/matching/fill-evidence.ts'
import type { SimulatedFill } from '../../fills/simulated-fill.ts'
import type { RoundTripColumns } from '../../metrics/round-trips/round-trip-columns.ts'
import { exactNumber } from '../export/exact-number.ts'
import type { GridOf } from '../grids-of.ts'
import type { BookLabel } from './book-labels.ts'
import { shortFraction } from './short-fraction.ts'

/**
 * Round trips as data for JSON, with their keys in one order: money in quote, times in ms UTC, excursions as fractions.
 * Prices, quantities and money keep all their digits: those of a grid fit into a double's shortest text.
 */
export function roundTripRows(
  roundTrips: readonly RoundTrip[],
  { adverse, favorable }: RoundTripColumns,
  ambiguous: ReadonlySet<number>,
  gridOf: GridOf,
  labelOf: (book: string) => BookLabel | undefined,
): readonly object[] {
  return roundTrips.map((roundTrip, row) => {
    const grid: Grid = gridOf(roundTrip.symbol)
    return {
      symbol: roundTrip.symbol,
      ...labelOf(roundTrip.book),
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
      ambiguous: ambiguous.has(row),
    }
  })
}

/** Fills as data for JSON, each with its rule; prices before slippage are those of the rule, on the grid. */
export function fillRows(
  fills: readonly SimulatedFill[],
  gridOf: GridOf,
  labelOf: (book: string) => BookLabel | undefined,
): readonly object[] {
  return fills.map(fill => {
    const grid: Grid = gridOf(fill.symbol)
    return {
      id: fill.id,
      clientOrderId: fill.clientOrderId,
      symbol: fill.symbol,
      ...labelOf(fill.book ?? fill.symbol),
      side: fill.side,
      price: priceOf(grid, fill.price),
      quantity: quantityOf(grid, fill.quantity),
      fee: exactNumber(fill.fee),
      feeAsset: fill.feeAsset,
      liquidity: fill.liquidity,
      slippage: exactNumber(fill.slippage),
      time: fill.time,
      rule: fill.rule,
      klineOpenTime: fill.klineOpenTime,
      priceBeforeSlippage: priceOf(grid, fill.priceBeforeSlippage),
      tag: fill.tag ?? null,
      ...(fill.evidence !== undefined && { evidence: evidenceJson(grid, fill.evidence) }),
    }
  })
}

/** Quantities in the unit of the market. */
function evidenceJson(grid: Grid, { queueBefore, queueAfter, ...evidence }: FillEvidence) {
  return {
    ...evidence,
    ...(queueBefore !== undefined && { queueBefore: quantityOf(grid, queueBefore) }),
    ...(queueAfter !== undefined && { queueAfter: quantityOf(grid, queueAfter) }),
  }
}
