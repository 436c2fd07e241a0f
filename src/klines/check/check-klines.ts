import { utcText } from '../../domain/market-data/civil-date.ts'
import { INTERVALS, type Interval, openTimeOf } from '../../domain/market-data/interval.ts'
import { gapsOf } from '../check-interval.ts'
import type { KlineTable } from '../formats/kline-table.ts'
import { copyRow } from '../formats/require-sound.ts'
import type { UnreadableRow } from '../formats/text/unreadable-row.ts'
import { klineAt } from '../kline-columns.ts'
import { isSoundRow, rowProblem } from '../kline-row.ts'
import { findOutliers } from './find-outliers.ts'
import type { KlineReport, RowFinding } from './kline-report.ts'
import { rowsByTime } from './rows-by-time.ts'

/** Checks all klines of a table, in any order; `unreadable` are the rows that could not be parsed. */
export function checkKlines(
  table: KlineTable,
  interval: Interval,
  unreadable: readonly UnreadableRow[] = [],
): KlineReport {
  const { columns } = table
  const { openTime } = columns
  const ascending = rowsByTime(openTime)
  const misaligned = misalignedRows(table, interval)
  const insane = insaneRows(table)
  const once = ascending.filter((row, index) => openTime[row] !== openTime[ascending[index - 1] ?? -1])
  const regular = misaligned.size === 0 ? once : once.filter(row => !misaligned.has(row))
  const times = Float64Array.from(regular, row => openTime[row] as number) // rows that exist
  const gaps = gapsOf({ ...columns, openTime: times }, interval)
  const sane = insane.size === 0 ? regular : regular.filter(row => !insane.has(row))
  return {
    interval,
    rows: columns.length,
    first: openTime[ascending[0] ?? -1],
    last: openTime[ascending.at(-1) ?? -1],
    findings: {
      unreadable,
      disorder: disorderedRows(table),
      duplicates: duplicateRows(table, ascending),
      misaligned: [...misaligned.values()],
      insane: [...insane.values()],
      gaps,
    },
    warnings: { zeroVolume: quietRows(table), outliers: outlyingRows(table, sane, interval) },
    advice: adviceFor(times, interval, gaps.length, misaligned.size),
  }
}

function findingAt({ columns, placeOf }: KlineTable, row: number, detail: string): RowFinding {
  return { place: placeOf(row), openTime: columns.openTime[row] as number, detail } // the row exists
}

function disorderedRows(table: KlineTable): readonly RowFinding[] {
  const found: RowFinding[] = []
  let latest = Number.NEGATIVE_INFINITY
  for (const [row, time] of table.columns.openTime.entries()) {
    if (time >= latest) latest = time
    else found.push(findingAt(table, row, `opens before a row above it, which opens at ${utcText(latest)}`))
  }
  return found
}

/** `ascending` keeps rows of equal time in file order. */
function duplicateRows(table: KlineTable, ascending: Uint32Array): readonly RowFinding[] {
  const { columns, placeOf } = table
  const found: RowFinding[] = []
  let first = ascending[0] ?? 0
  for (const row of ascending.subarray(1)) {
    if (columns.openTime[row] !== columns.openTime[first]) {
      first = row
      continue
    }
    const isSame = `${Object.values(klineAt(columns, row))}` === `${Object.values(klineAt(columns, first))}`
    const values = isSame ? 'the same values' : 'other values'
    found.push(findingAt(table, row, `opens when ${placeOf(first).toLowerCase()} does, with ${values}`))
  }
  return found
}

function misalignedRows(table: KlineTable, interval: Interval): ReadonlyMap<number, RowFinding> {
  const found = new Map<number, RowFinding>()
  for (const [row, time] of table.columns.openTime.entries()) {
    if (openTimeOf(time, interval) === time) continue
    found.set(row, findingAt(table, row, `opens when no kline of ${interval} does`))
  }
  return found
}

function insaneRows(table: KlineTable): ReadonlyMap<number, RowFinding> {
  const found = new Map<number, RowFinding>()
  const values = new Float64Array(6)
  for (let row = 0; row < table.columns.length; row++) {
    copyRow(table.columns, row, values)
    if (isSoundRow(values, Number.NEGATIVE_INFINITY)) continue
    const problem = rowProblem(Array.from(values, String), values, Number.NEGATIVE_INFINITY)
    found.set(row, findingAt(table, row, problem.replace(/\.$/, '')))
  }
  return found
}

function quietRows(table: KlineTable): readonly RowFinding[] {
  const found: RowFinding[] = []
  for (const [row, volume] of table.columns.volume.entries()) {
    if (volume === 0) found.push(findingAt(table, row, 'has a volume of 0'))
  }
  return found
}

function outlyingRows(table: KlineTable, rows: Uint32Array, interval: Interval): readonly RowFinding[] {
  return findOutliers(table.columns, rows, interval).map(({ row, times }) =>
    findingAt(table, row, `goes ${times.toFixed(0)} times as far from the close before it as usual`),
  )
}

/** One advice for klines of another interval or time zone, instead of thousands of findings. */
function adviceFor(
  times: Float64Array,
  interval: Interval,
  gaps: number,
  misaligned: number,
): string | undefined {
  if (misaligned > 0 && times.length === 0)
    return `No kline opens when one of ${interval} does; check the interval and the time zone.`
  if (gaps < 2) return undefined
  const fitting = INTERVALS.findLast(longer => times.every(time => openTimeOf(time, longer) === time))
  if (fitting === undefined || fitting === interval) return undefined
  return `All open times fit the interval ${fitting}; check with --interval ${fitting}.`
}
