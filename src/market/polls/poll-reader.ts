import type { MarketFact, ReadFailed } from '../market-event.ts'

/** Result of one answer. */
export interface Reading {
  readonly events: readonly (MarketFact | ReadFailed)[]
  /** Streams with data, and the due time of their next data, ms of the scheduler's clock. */
  readonly alive: readonly { readonly stream: string; readonly dueAt: number }[]
}

/** Reads one poll of the plan repeatedly. */
export interface PollReader {
  /** Streams that it feeds. */
  readonly streams: readonly string[]
  /**
   * Time of the next read, ms of the scheduler's clock, which shows `now`; `now` or earlier means at once.
   */
  dueAt(now: number): number
  /**
   * Calls the exchange. The returned function applies the answer, so that an answer that arrives after
   * unsubscribing changes nothing.
   */
  read(): Promise<() => Reading>
}
