import { utcText } from '../../domain/market-data/civil-date.ts'
import { closeTimeOf, type Interval, openTimeOf } from '../../domain/market-data/interval.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { isSoundRow, rowProblem } from '../kline-row.ts'
import { compareRows } from './merge-columns.ts'
import { type SeriesName, seriesText } from './series-name.ts'

/** From this number on a time is not in ms: it would lie beyond the year 5138. */
const LATEST_MS = 1e14

/**
 * Throws `UsageError` for rows that do not ascend or have impossible numbers: the store accepts none of them.
 */
export function checkRows(columns: readonly Float64Array[], keys: 1 | 2, name: SeriesName): void {
  const times = columns[0] ?? new Float64Array()
  for (let row = 0; row < times.length; row++) {
    const time = times[row] as number // inside the bounds
    if (!Number.isInteger(time) || time < 0 || time >= LATEST_MS) {
      throw refused(name, row, `has the time ${time}; expected ms since 1970, UTC.`)
    }
    if (row > 0 && compareRows(columns, row - 1, columns, row, keys) >= 0) {
      throw refused(
        name,
        row,
        `(${utcText(time)}) does not come after the one before it; sort them, each once.`,
      )
    }
  }
  if (name.series === 'funding' || name.series === 'trades') checkNumbers(columns, name)
  else checkKlines(columns, name.series, name)
}

function checkNumbers(columns: readonly Float64Array[], name: SeriesName): void {
  for (const column of columns) {
    const row = column.findIndex(value => !Number.isFinite(value))
    if (row >= 0) throw refused(name, row, `has ${column[row]} in place of a number; remove it.`)
  }
}

function checkKlines(columns: readonly Float64Array[], interval: Interval, name: SeriesName): void {
  const values = new Float64Array(columns.length)
  let next = Number.NaN
  for (let row = 0; row < (columns[0]?.length ?? 0); row++) {
    for (let index = 0; index < values.length; index++) {
      values[index] = (columns[index] as Float64Array)[row] as number // all columns have that row
    }
    const time = values[0] as number // the first of six
    if (!isSoundRow(values, Number.NEGATIVE_INFINITY)) {
      const texts = Array.from(values, String)
      throw refused(name, row, `(${utcText(time)}) ${rowProblem(texts, values, Number.NEGATIVE_INFINITY)}`)
    }
    // A kline that follows another without a gap opens on the grid.
    if (time !== next && openTimeOf(time, interval) !== time) {
      throw refused(
        name,
        row,
        `opens at ${utcText(time)}, when no kline of ${interval} does; check its time zone.`,
      )
    }
    next = closeTimeOf(time, interval)
  }
}

function refused(name: SeriesName, row: number, problem: string): UsageError {
  return new UsageError(`Row ${row + 1} to be stored as ${seriesText(name)} ${problem}`)
}
