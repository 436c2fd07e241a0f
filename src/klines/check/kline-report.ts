import type { Interval } from '../../domain/market-data/interval.ts'
import type { KlineGap } from '../check-interval.ts'
import type { UnreadableRow } from '../formats/text/unreadable-row.ts'

/** Errors and oddities of klines. */
export interface KlineReport {
  readonly interval: Interval
  /** Number of readable klines. */
  readonly rows: number
  /** The earliest and the latest open time, ms UTC; `undefined` without a row. */
  readonly first: number | undefined
  readonly last: number | undefined
  readonly findings: KlineFindings
  readonly warnings: KlineWarnings
  /** Common cause of many findings, in a sentence. */
  readonly advice: string | undefined
}

/** Errors that a backtest must not be given. */
export interface KlineFindings {
  /** Rows that could not be parsed, such as a line with letters for a price. */
  readonly unreadable: readonly UnreadableRow[]
  /** Rows that open before an earlier row. */
  readonly disorder: readonly RowFinding[]
  /** Rows with the open time of an earlier row. */
  readonly duplicates: readonly RowFinding[]
  /** Rows whose open time is not one of the interval. */
  readonly misaligned: readonly RowFinding[]
  /** Rows with impossible numbers, such as a high below the low. */
  readonly insane: readonly RowFinding[]
  /** Missing klines between the earliest and the latest, oldest first. */
  readonly gaps: readonly KlineGap[]
}

/** Oddities: possible, but often errors. */
export interface KlineWarnings {
  /** Klines without volume. */
  readonly zeroVolume: readonly RowFinding[]
  /** Klines whose price moved much further than usual (see `findOutliers`). */
  readonly outliers: readonly RowFinding[]
}

/** A finding about one row. */
export interface RowFinding {
  /** Place in the file: "Line 3". */
  readonly place: string
  /** ms UTC. */
  readonly openTime: number
  /** Rest of a sentence that starts with the place. */
  readonly detail: string
}

/** True without findings; warnings do not count. */
export function isClean({ findings }: KlineReport): boolean {
  return Object.values(findings).every(found => found.length === 0)
}

/** Number of missing klines in all gaps. */
export function missingIn({ findings }: KlineReport): number {
  return findings.gaps.reduce((sum, { missing }) => sum + missing, 0)
}
