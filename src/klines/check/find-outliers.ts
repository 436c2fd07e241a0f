import { closeTimeOf, type Interval } from '../../domain/market-data/interval.ts'
import type { KlineColumns } from '../kline-columns.ts'

/**
 * Multiple of the usual distance from which a kline is an outlier. In a year of real minutes, crashes
 * included, few klines exceed it.
 */
const OUTLIER_FACTOR = 30

/** A kline that moves much further from the previous close than others do. */
export interface Outlier {
  readonly row: number
  /** Multiple of the usual distance. */
  readonly times: number
}

/**
 * Finds klines whose high or low is far from the previous close, on a log scale: more than 30 times the
 * median of that distance over all klines that moved (a median absolute deviation from zero, which outliers
 * do not widen). `rows` are the rows to check, ascending by open time; only neighbours one interval apart are
 * compared.
 */
export function findOutliers(
  columns: KlineColumns,
  rows: Uint32Array,
  interval: Interval,
): readonly Outlier[] {
  const distances = distancesOf(columns, rows, interval)
  const usual = medianOf(distances.filter(distance => distance > 0))
  const outliers: Outlier[] = []
  for (const [index, distance] of distances.entries()) {
    if (distance > OUTLIER_FACTOR * usual)
      outliers.push({ row: rows[index] as number, times: distance / usual })
  }
  return outliers
}

/** Distance of each row from the previous close, in logarithms; 0 without a previous kline or after a gap. */
function distancesOf({ openTime, high, low, close }: KlineColumns, rows: Uint32Array, interval: Interval) {
  const distances = new Float64Array(rows.length)
  for (let index = 1; index < rows.length; index++) {
    // Both rows exist.
    const [before, row] = [rows[index - 1] as number, rows[index] as number]
    if (closeTimeOf(openTime[before] as number, interval) !== openTime[row]) continue
    const reference = Math.log(close[before] as number)
    const up = Math.abs(Math.log(high[row] as number) - reference)
    const down = Math.abs(Math.log(low[row] as number) - reference)
    distances[index] = Math.max(up, down)
  }
  return distances
}

/** Median (of an even count, the upper of the middle two); Infinity without values. */
function medianOf(values: Float64Array): number {
  return values.sort()[values.length >> 1] ?? Number.POSITIVE_INFINITY
}
