import { closeTimeOf, type Interval } from '../../domain/market-data/interval.ts'
import type { KlineColumns } from '../kline-columns.ts'

/** So many times the usual distance is an outlier. In a year of real minutes, crashes included, few klines go further. */
const OUTLIER_FACTOR = 30

/** A kline that goes much further from the close before it than others do. */
export interface Outlier {
  readonly row: number
  /** How many times the usual distance. */
  readonly times: number
}

/**
 * Finds klines whose high or low is far from the close of the kline before, in logarithms: more than 30 times the median of
 * that distance over all klines that moved at all (a median absolute deviation from zero, which outliers do not widen).
 * `rows` are the rows to look at, ascending by open time; only neighbours one interval apart are compared.
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

/** For each row how far it went from the close before it; 0 where there is none, or a gap. */
function distancesOf({ openTime, high, low, close }: KlineColumns, rows: Uint32Array, interval: Interval) {
  const distances = new Float64Array(rows.length)
  for (let index = 1; index < rows.length; index++) {
    // Rows that exist.
    const [before, row] = [rows[index - 1] as number, rows[index] as number]
    if (closeTimeOf(openTime[before] as number, interval) !== openTime[row]) continue
    const reference = Math.log(close[before] as number)
    const up = Math.abs(Math.log(high[row] as number) - reference)
    const down = Math.abs(Math.log(low[row] as number) - reference)
    distances[index] = Math.max(up, down)
  }
  return distances
}

/** The median (of an even count, the upper one of the middle two); Infinity of nothing. */
function medianOf(values: Float64Array): number {
  return values.sort()[values.length >> 1] ?? Number.POSITIVE_INFINITY
}
