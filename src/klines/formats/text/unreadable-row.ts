import { UsageError } from '../../../domain/sluice-error.ts'

/** A row that is not of its layout. */
export interface UnreadableRow {
  /** Where it is: "Line 3", "Row 3", "Entry 3". */
  readonly place: string
  /** The rest of a sentence that starts with the place and the file: what is wrong, and what was expected. */
  readonly problem: string
}

/** Takes rows that cannot be read; reading goes on behind them if it returns. */
export type OnUnreadableRow = (row: UnreadableRow) => void

/** Refuses the first row that cannot be read: throws `UsageError`. */
export function refuseUnreadable(source: string): OnUnreadableRow {
  return ({ place, problem }) => {
    throw new UsageError(`${place} of ${source} ${problem}`)
  }
}
