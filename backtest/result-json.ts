import { type Amount, amountToText } from '../src/domain/amount.ts'
import type { DenialRule } from '../src/domain/denial.ts'
import type { Fill } from '../src/domain/fill.ts'
import { type Grid, priceText, quantityText } from '../src/domain/grid.ts'
import type { RoundTrip } from '../src/domain/round-trip.ts'
import { denialCounts } from './denial-counts.ts'
import { type ExactNumber, exactNumber } from './exact-number.ts'
import type { Manifest } from './manifest.ts'
import type { Metrics } from './metrics.ts'
import type { BacktestReport } from './report.ts'

/** A round trip as JSON: quantities, prices and money with their exact decimals; money in quote, times in ms UTC. */
interface RoundTripJson
  extends Pick<RoundTrip, 'symbol' | 'direction' | 'entryTime' | 'exitTime' | 'entryReason' | 'exitReason'> {
  readonly quantity: ExactNumber
  readonly entryPrice: ExactNumber
  readonly exitPrice: ExactNumber
  readonly pnl: ExactNumber
  readonly fees: ExactNumber
  readonly tag: string | null
}

/** A fill as JSON: quantity, price and fee with their exact decimals. */
interface FillJson extends Omit<Fill, 'price' | 'quantity' | 'fee'> {
  readonly price: ExactNumber
  readonly quantity: ExactNumber
  readonly fee: ExactNumber
}

/** A result as data for `JSON.stringify`. Times are ms UTC. */
export interface ResultJson {
  readonly manifest: Manifest
  readonly metrics: Metrics
  readonly roundTrips: readonly RoundTripJson[]
  readonly fills: readonly FillJson[]
  /** How often each rule of our risk said no. */
  readonly denials: Readonly<Partial<Record<DenialRule, number>>>
  /** Close of each kline, and what the account was worth then. */
  readonly equity: readonly (readonly [time: number, value: number])[]
}

/** The result as plain data with its keys always in the same order, so that equal results are equal text. */
export function resultJson({
  manifest,
  metrics,
  instrument,
  roundTrips,
  fills,
  denials,
  equity,
}: BacktestReport): ResultJson {
  return {
    manifest,
    metrics,
    roundTrips: roundTrips.map(roundTrip => roundTripJson(instrument, roundTrip)),
    fills: fills.map(fill => fillJson(instrument, fill)),
    denials: Object.fromEntries([...denialCounts(denials)].map(([rule, { count }]) => [rule, count])),
    // As long as `time`.
    equity: Array.from(equity.time, (time, index) => [time, equity.equity[index] as number] as const),
  }
}

function roundTripJson(grid: Grid, roundTrip: RoundTrip): RoundTripJson {
  return {
    symbol: roundTrip.symbol,
    direction: roundTrip.direction,
    quantity: exactNumber(quantityText(grid, roundTrip.quantity)),
    entryTime: roundTrip.entryTime,
    entryPrice: exactNumber(priceText(grid, roundTrip.entryPrice)),
    exitTime: roundTrip.exitTime,
    exitPrice: exactNumber(priceText(grid, roundTrip.exitPrice)),
    pnl: money(roundTrip.pnl),
    fees: money(roundTrip.fees),
    entryReason: roundTrip.entryReason,
    exitReason: roundTrip.exitReason,
    tag: roundTrip.tag ?? null,
  }
}

function fillJson(grid: Grid, fill: Fill): FillJson {
  return {
    id: fill.id,
    clientOrderId: fill.clientOrderId,
    symbol: fill.symbol,
    side: fill.side,
    price: exactNumber(priceText(grid, fill.price)),
    quantity: exactNumber(quantityText(grid, fill.quantity)),
    fee: money(fill.fee),
    feeAsset: fill.feeAsset,
    liquidity: fill.liquidity,
    time: fill.time,
  }
}

function money(amount: Amount): ExactNumber {
  return exactNumber(amountToText(amount))
}
