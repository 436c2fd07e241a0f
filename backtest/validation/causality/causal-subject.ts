import type { Resumable } from '../../run/resumable.ts'
import type { Difference } from '../first-difference.ts'
import type { RunRecord } from '../run-record.ts'
import type { Hiding } from './hidden-future.ts'
import type { OtherFuture } from './other-future.ts'

/** A run that can be played again with another future. Its rows are the moments between which the future may begin. */
export interface CausalSubject {
  /** Plays the run as it is. */
  record(): Resumable<RunRecord>
  /** Plays it with another future after a row of `baseline`. */
  recordWith(future: OtherFuture, baseline: RunRecord): Resumable<RunRecord>
  /** Plays it with the future hidden at every moment: each kline appears when it has closed. */
  recordHidden(hiding: Hiding): Resumable<RunRecord>
  /** The earliest difference between two runs up to the close of the row `cut` of the first. */
  difference(before: RunRecord, after: RunRecord, cut: number): Difference | undefined
}
