import type { TradingStateChanged } from '../../../src/domain/events/engine-output.ts'
import type { TradingHold } from '../../../src/domain/events/trading-hold.ts'
import { type Grid, notionalOf, priceOf, quantityOf, steps } from '../../../src/domain/numbers/grid.ts'
import type { AccountState } from '../../../src/ledger/account-balances.ts'
import type { ReplacedExit } from '../../results/backtest-result.ts'
import type { CutOrders } from '../../results/cut-orders.ts'
import type { MissedTargets } from '../../results/missed-targets.ts'
import type { BacktestReport } from '../backtest-report.ts'
import { type GridOf, gridsOf } from '../grids-of.ts'
import { lateStopsOf } from '../late-stops.ts'
import { bookLabels } from '../text/book-labels.ts'
import { boundsRows } from '../text/bounds-rows.ts'
import type { MarginReport } from '../text/margin-report.ts'
import { profitJson } from '../text/profit-table.ts'
import type { Bounds } from '../text/report-section.ts'
import { fillRows, roundTripRows } from '../text/result-rows.ts'
import { equityJsonBytes, writeEquityJson } from './equity-json.ts'
import { exactNumber } from './exact-number.ts'
import { metricsJson } from './metrics-json.ts'

/**
 * A result as one line of JSON, in UTF-8: `manifest`, `metrics`, `roundTrips`, `fills`, `denials` (count of
 * each risk rule), `ambiguity` (number of round trips and open positions that depend on the path inside a kline), `profit`
 * (exact sources of the change of equity), `equity` (pairs of a kline's close time and the equity then) and
 * optional parts. Keys are always in the same order, so that equal results are equal bytes. Times are ms UTC.
 */
export function resultJson(report: BacktestReport): Uint8Array {
  const { manifest, metrics, markets, roundTrips, fills, denials, equity, ambiguity } = report
  const gridOf = gridsOf(markets)
  const namesOf = bookLabels(markets)
  const counts = [...denials].map(([rule, { count }]) => [rule, count])
  const parts = {
    manifest,
    metrics: metricsJson(metrics),
    roundTrips: roundTripRows(roundTrips, metrics.columns, new Set(ambiguity.roundTrips), gridOf, namesOf),
    fills: fillRows(fills, gridOf, namesOf),
    denials: Object.fromEntries(counts),
    ambiguity: {
      path: ambiguity.policy,
      ambiguousRoundTrips: ambiguity.roundTrips.length,
      roundTrips: roundTrips.length,
      ambiguousOpenPositions: ambiguity.openPositions.length,
    },
    profit: profitJson(report.profit),
    ...sections(report),
  }
  // Equity comes last, as bytes: without the brace that ends the other parts.
  const text = `${JSON.stringify(parts).slice(0, -1)},"equity":`
  const start = Buffer.byteLength(text)
  // Untouched memory is not committed, so an oversized buffer costs nothing.
  const bytes = Buffer.alloc(start + equityJsonBytes(equity) + END.length)
  bytes.write(text)
  const end = writeEquityJson(equity, bytes, start)
  return bytes.subarray(0, end + bytes.write(END, end))
}

const END = '}\n'

/** The parts that only some runs have. */
function sections(report: BacktestReport) {
  const { bounds, accounts, margin, funding, parts, markets, tradingChanges, fills } = report
  const gridOf = gridsOf(markets)
  return {
    cutOrders: unlessEmpty(report.cutOrders?.map(cut => cutOrdersJson(cut, gridOf))),
    missedTargets: unlessEmpty(report.missedTargets?.map(missed => missedTargetsJson(missed, gridOf))),
    replacedExits: unlessEmpty(report.replacedExits?.map(exit => replacedExitJson(exit, gridOf))),
    lateStops: lateStopsOf(fills),
    tradingChanges: tradingChanges?.map(tradingChangeJson),
    bounds: bounds && boundsJson(bounds),
    accounts: accounts && accountsJson(accounts),
    margin: margin && marginJson(margin, gridOf),
    funding: funding?.map(({ symbol, time, amount }) => ({ symbol, time, amount: exactNumber(amount) })),
    parts,
  }
}

const ONE_STEP = steps(1)

function unlessEmpty<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list?.length === 0 ? undefined : list
}

/** Quantities in base, of contracts as well. */
function cutOrdersJson({ symbol, purpose, cause, count, ordered, untraded }: CutOrders, gridOf: GridOf) {
  const grid = gridOf(symbol)
  const quantities = { ordered: quantityOf(grid, ordered), untraded: quantityOf(grid, untraded) }
  return { symbol, purpose, cause, count, ...quantities }
}

/** Step in base, of contracts as well, and its worth at the first. */
function missedTargetsJson({ count, first: { symbol, price, time } }: MissedTargets, gridOf: GridOf) {
  const grid = gridOf(symbol)
  const step = {
    step: quantityOf(grid, ONE_STEP),
    stepNotional: exactNumber(notionalOf(grid, price, ONE_STEP)),
  }
  return { symbol, count, firstTime: time, ...step }
}

function replacedExitJson({ time, symbol, strategy, side, quantity, by }: ReplacedExit, gridOf: GridOf) {
  return { time, symbol, strategy, side, quantity: quantityOf(gridOf(symbol), quantity), by }
}

/** Time, scope (empty: the whole account), the mode before and after, and all active holds. */
function tradingChangeJson({ scope, before, mode, holds, time }: TradingStateChanged) {
  const { symbol, strategy, book } = scope
  return { ...{ time, symbol, strategy, book, before, mode }, holds: holds.map(holdJson) }
}

function holdJson({ source, mode, reason, since, until }: TradingHold) {
  return { source, mode, reason, since, until }
}

/** Amounts by asset, by account. */
function accountsJson(accounts: readonly AccountState[]) {
  const rows = accounts.map(({ account, balances }) => [
    account,
    Object.fromEntries(balances.map(([asset, amount]) => [asset, exactNumber(amount)])),
  ])
  return Object.fromEntries(rows)
}

function marginJson({ borneLoss, liquidations, contracts, ...margin }: MarginReport, gridOf: GridOf) {
  return {
    ...margin,
    contracts: contracts?.map(contract => ({ ...contract, paid: exactNumber(contract.paid) })),
    borneLoss: exactNumber(borneLoss),
    liquidations: liquidations.map(({ symbol, direction, quantity, price, fee, time }) => {
      const grid: Grid = gridOf(symbol)
      return {
        ...{ symbol, direction, quantity: quantityOf(grid, quantity), price: priceOf(grid, price) },
        ...{ fee: exactNumber(fee), time },
      }
    }),
  }
}

/** Intervals of the main figures, `null` where either run has none, and all figures of both runs. */
function boundsJson(bounds: Bounds) {
  const intervals = boundsRows(bounds).map(({ key, low, high }) => [key, low === null ? null : { low, high }])
  return {
    areAlike: bounds.areAlike,
    intervals: Object.fromEntries(intervals),
    worst: metricsJson(bounds.worst),
    best: metricsJson(bounds.best),
  }
}
