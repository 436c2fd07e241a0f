import { UsageError } from '../../../domain/sluice-error.ts'

/** A row that does not fit its layout. */
export interface UnreadableRow {
  /** Place in the file: "Line 3", "Row 3", "Entry 3". */
  readonly place: string
  /** Rest of a sentence that starts with place and file: the problem, and the expected form. */
  readonly problem: string
}

/** Receives rows that cannot be parsed; parsing continues after them if it returns. */
export type OnUnreadableRow = (row: UnreadableRow) => void

/** Throws `UsageError` for the first row that cannot be parsed. */
export function refuseUnreadable(source: string): OnUnreadableRow {
  return ({ place, problem }) => {
    throw new UsageError(`${place} of ${source} ${problem}`)
  }
}
