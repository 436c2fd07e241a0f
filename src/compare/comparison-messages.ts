import type { ComparisonJson } from './comparison-rows.ts'

/** Start data of a comparing thread. */
export interface ComparisonWorkerData {
  /** Path of the journal. */
  readonly journal: string
  /** Real time before the first comparison, and between the end of one and the begin of the next, ms. */
  readonly everyMs: number
  readonly slippageRate: number
  readonly boundRate: number
}

/** The state of a comparison that goes on: not yet done; a result; failed, which is tried again. */
export type ComparisonUpdate =
  | { readonly type: 'waiting' }
  | {
      readonly type: 'compared'
      readonly comparison: ComparisonJson
    }
  | { readonly type: 'failed'; readonly reason: string }
