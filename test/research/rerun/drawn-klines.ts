import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Row } from '../../backtest/kline-table.ts'
import { randomRows } from '../../backtest/random-market.ts'

/** Midnight. */
const START = Date.UTC(2024, 0, 1)
const MINUTE = 60_000
/** Klines of a quarter of an hour in one of each interval. */
const QUARTERS = { '15m': 1, '1h': 4, '4h': 16, '1d': 96 } as const

/** An interval of drawn klines. */
export type DrawnInterval = keyof typeof QUARTERS

/** Kline files of one drawn market. */
export interface DrawnKlines {
  readonly file: string
  /** The same market in quarters of an hour. */
  readonly finer: string
  /** Open time of a row. */
  readonly timeOf: (row: number) => number
}

/** Writes `count` klines of an interval, and the quarters of an hour that they are made of; `gaps` leaves rows out. */
export function drawnKlines(
  folder: string,
  name: string,
  { seed, interval, count, gaps }: { seed: number; interval: DrawnInterval; count: number; gaps: boolean },
): DrawnKlines {
  const quarters = QUARTERS[interval]
  const rows = randomRows(seed, count * quarters)
  const merged = Array.from({ length: count }, (_, index) =>
    mergedRow(rows.slice(index * quarters, (index + 1) * quarters)),
  )
  const timeOf = (row: number) => START + row * quarters * 15 * MINUTE
  const isKept = (row: number) => !gaps || row % 97 !== 50
  return {
    file: written(join(folder, `${name}.csv`), merged, timeOf, isKept),
    finer: written(
      join(folder, `${name}-15m.csv`),
      rows,
      row => START + row * 15 * MINUTE,
      () => true,
    ),
    timeOf,
  }
}

function mergedRow(rows: readonly Row[]): Row {
  const [first, last] = [rows[0] as Row, rows.at(-1) as Row] // at least one
  return [
    first[0],
    Math.max(...rows.map(([, high]) => high)),
    Math.min(...rows.map(([, , low]) => low)),
    last[3],
  ]
}

function written(
  path: string,
  rows: readonly Row[],
  timeOf: (row: number) => number,
  isKept: (row: number) => boolean,
): string {
  const lines = rows.flatMap((row, index) => (isKept(index) ? [[timeOf(index), ...row, 1000].join()] : []))
  writeFileSync(path, `idx,open,high,low,close,vol\n${lines.join('\n')}\n`)
  return path
}
