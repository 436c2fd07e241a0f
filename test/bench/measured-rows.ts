import Table from 'cli-table3'
import type { BenchRow, Measured } from './bench-row.ts'

/** A row with its figures. */
export interface MeasuredRow extends Pick<BenchRow, 'name' | 'unit' | 'goal'>, Measured {
  /** The value as a part of the bare reference. */
  readonly ratio: number
}

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/** Measures row after row, and writes a line as each ends. */
export async function measuredRows(
  rows: readonly BenchRow[],
  write: (line: string) => void,
): Promise<readonly MeasuredRow[]> {
  const measured: MeasuredRow[] = []
  for (const { name, unit, goal, run } of rows) {
    const { value, floor } = await run()
    measured.push({ name, value, unit, floor, ratio: value / floor, ...(goal !== undefined && { goal }) })
    const figures = `${WHOLE.format(value)} ${unit}, bare ${WHOLE.format(floor)}`
    write(`${measured.length} of ${rows.length}: ${name}: ${figures}`)
  }
  return measured
}

/** All rows for people. */
export function rowsTable(rows: readonly MeasuredRow[]): string {
  const table = new Table({
    head: ['what', 'Sluice', 'bare', 'ratio', 'goal', 'unit'],
    colAligns: ['left', 'right', 'right', 'right', 'left', 'left'],
    style: { head: [], border: [], compact: true },
  })
  for (const { name, value, unit, floor, ratio, goal } of rows) {
    const figures = [WHOLE.format(value), WHOLE.format(floor), ratio.toFixed(3)]
    table.push([name, ...figures, goal === undefined ? '' : `≤ ${goal}`, unit])
  }
  return table.toString()
}
