import type { TimeSpan } from '../../src/klines/slice-klines.ts'
import type { FinishedTrial, Trial } from '../trials/trial.ts'

/** Outcome of a search on a part of the data. */
export interface SpanChoice {
  /** Everything that was tried there, in order. */
  readonly trials: readonly Trial[]
  /** The best of them; `undefined` where none has a score. */
  readonly best: FinishedTrial | undefined
}

/** Searches parameters on a span (open times, ms UTC) alone: nothing after its end is seen. */
export type SpanSearch = (span: TimeSpan) => Promise<SpanChoice>
