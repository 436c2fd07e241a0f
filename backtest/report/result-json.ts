import type { BacktestReport } from './backtest-report.ts'
import { denialCounts } from './denial-counts.ts'
import { equityJson } from './equity-json.ts'
import { exactNumber } from './exact-number.ts'
import { gridsOf } from './grids-of.ts'
import { metricsJson } from './metrics-json.ts'
import { fillRows, roundTripRows } from './result-rows.ts'

/**
 * A result as one line of JSON, in UTF-8: `manifest`, `metrics`, `roundTrips`, `fills`, `denials` (how often each rule of our
 * risk said no), `equity` (pairs of a kline's close and the worth then) and what else the run has to tell. Keys are always
 * in the same order, so that equal results are equal bytes. Times are ms UTC.
 */
export function resultJson(report: BacktestReport): Uint8Array {
  const { manifest, metrics, markets, roundTrips, fills, denials, equity } = report
  const gridOf = gridsOf(markets)
  const counts = [...denialCounts(denials)].map(([rule, { count }]) => [rule, count])
  const parts = {
    manifest,
    metrics: metricsJson(metrics),
    roundTrips: roundTripRows(roundTrips, metrics.columns, gridOf),
    fills: fillRows(fills, gridOf),
    denials: Object.fromEntries(counts),
    ...sections(report),
  }
  // Equity comes last, as bytes: without the brace that ends the other parts.
  const text = Buffer.from(JSON.stringify(parts))
  return Buffer.concat([text.subarray(0, -1), EQUITY, equityJson(equity), END])
}

const EQUITY = Buffer.from(',"equity":')
const END = Buffer.from('}\n')

/** The parts that only some runs have. */
function sections({ ambiguity, bounds, funding, parts }: BacktestReport) {
  return {
    ambiguity,
    bounds: bounds && { worst: metricsJson(bounds.worst), best: metricsJson(bounds.best) },
    funding: funding?.map(({ symbol, time, amount }) => ({ symbol, time, amount: exactNumber(amount) })),
    parts: parts?.map(({ name, metrics }) => ({ name, metrics: metricsJson(metrics) })),
  }
}
