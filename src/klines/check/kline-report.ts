import type { Interval } from '../../domain/market-data/interval.ts'
import type { KlineGap } from '../check-interval.ts'
import type { UnreadableRow } from '../formats/text/unreadable-row.ts'

/** What is wrong with klines, and what only looks odd. */
export interface KlineReport {
  readonly interval: Interval
  /** Klines that could be read. */
  readonly rows: number
  /** The earliest and the latest open time, ms UTC; `undefined` without a row. */
  readonly first: number | undefined
  readonly last: number | undefined
  readonly findings: KlineFindings
  readonly warnings: KlineWarnings
  /** What explains many findings at once, in a sentence. */
  readonly advice: string | undefined
}

/** What a backtest must not be given. */
export interface KlineFindings {
  /** Rows that are no klines, such as a line with letters for a price. */
  readonly unreadable: readonly UnreadableRow[]
  /** Rows that open before one above them. */
  readonly disorder: readonly RowFinding[]
  /** Rows that open when another one does, which comes first. */
  readonly duplicates: readonly RowFinding[]
  /** Rows that open when no kline of the interval does. */
  readonly misaligned: readonly RowFinding[]
  /** Rows whose numbers cannot be, such as a high below the low. */
  readonly insane: readonly RowFinding[]
  /** Absent klines between the earliest and the latest, oldest first. */
  readonly gaps: readonly KlineGap[]
}

/** What can be true, but often is not. */
export interface KlineWarnings {
  /** Nothing was traded. */
  readonly zeroVolume: readonly RowFinding[]
  /** The price went much further than usual (see `findOutliers`). */
  readonly outliers: readonly RowFinding[]
}

/** A row with something to say about. */
export interface RowFinding {
  /** Where it is: "Line 3". */
  readonly place: string
  /** ms UTC. */
  readonly openTime: number
  /** The rest of a sentence that starts with the place. */
  readonly detail: string
}

/** Whether nothing was found; warnings do not count. */
export function isClean({ findings }: KlineReport): boolean {
  return Object.values(findings).every(found => found.length === 0)
}

/** Klines absent in all gaps together. */
export function missingIn({ findings }: KlineReport): number {
  return findings.gaps.reduce((sum, { missing }) => sum + missing, 0)
}
