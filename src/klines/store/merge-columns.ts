import type { ColumnRoom } from './column-room.ts'

/** Counts of merged rows. */
export interface MergeCounts {
  /** New rows. */
  readonly added: number
  /** Existing rows that got new values. */
  readonly revised: number
  /** Existing rows with the same values. */
  readonly unchanged: number
}

/** Merged rows, and their counts. */
export interface MergedColumns {
  readonly columns: readonly Float64Array[]
  readonly counts: MergeCounts
}

/**
 * Merges two tables whose rows ascend by their first `keys` columns; a row of `later` replaces the row with
 * the same keys. Returns the columns of one table if the other is empty, otherwise columns in `room`.
 */
export function mergeColumns(
  earlier: readonly Float64Array[],
  later: readonly Float64Array[],
  keys: 1 | 2,
  room: ColumnRoom,
): MergedColumns {
  const [rows, moreRows] = [rowsOf(earlier), rowsOf(later)]
  if (moreRows === 0 || rows === 0) {
    const counts = { added: moreRows, revised: 0, unchanged: 0 }
    return { columns: rows === 0 ? later : earlier, counts }
  }
  const merged = room.take(earlier.length, rows + moreRows)
  if (compareRows(earlier, rows - 1, later, 0, keys) < 0) {
    for (const [index, column] of merged.entries()) {
      column.set(earlier[index] ?? [])
      column.set(later[index] ?? [], rows)
    }
    return { columns: merged, counts: { added: moreRows, revised: 0, unchanged: 0 } }
  }
  const counts = { added: 0, revised: 0, unchanged: 0 }
  let [row, more, length] = [0, 0, 0]
  while (row < rows || more < moreRows) {
    const order = row === rows ? 1 : more === moreRows ? -1 : compareRows(earlier, row, later, more, keys)
    if (order < 0) copyRow(earlier, row, merged, length)
    else copyRow(later, more, merged, length)
    if (order > 0) counts.added++
    else if (order === 0) counts[isSameRow(earlier, row, later, more) ? 'unchanged' : 'revised']++
    if (order <= 0) row++
    if (order >= 0) more++
    length++
  }
  return { columns: merged.map(column => column.subarray(0, length)), counts }
}

/** Below 0 if the left row comes first, 0 for equal keys, above 0 otherwise. */
export function compareRows(
  left: readonly Float64Array[],
  leftRow: number,
  right: readonly Float64Array[],
  rightRow: number,
  keys: 1 | 2,
): number {
  const first = valueAt(left, 0, leftRow) - valueAt(right, 0, rightRow)
  return first !== 0 || keys === 1 ? first : valueAt(left, 1, leftRow) - valueAt(right, 1, rightRow)
}

function isSameRow(
  left: readonly Float64Array[],
  row: number,
  right: readonly Float64Array[],
  other: number,
): boolean {
  return left.every((column, index) => column[row] === right[index]?.[other])
}

function copyRow(
  from: readonly Float64Array[],
  row: number,
  to: readonly Float64Array[],
  target: number,
): void {
  for (let index = 0; index < to.length; index++) {
    const column = to[index]
    if (column !== undefined) column[target] = valueAt(from, index, row)
  }
}

function valueAt(columns: readonly Float64Array[], index: number, row: number): number {
  return columns[index]?.[row] ?? Number.NaN
}

function rowsOf(columns: readonly Float64Array[]): number {
  return columns[0]?.length ?? 0
}
