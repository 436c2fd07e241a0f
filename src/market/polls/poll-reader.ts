import type { MarketFact, ReadFailed } from '../market-event.ts'

/** What one answer tells. */
export interface Reading {
  readonly events: readonly (MarketFact | ReadFailed)[]
  /** The streams that brought something, and when something more should come of them, ms of the scheduler's clock. */
  readonly alive: readonly { readonly stream: string; readonly dueAt: number }[]
}

/** Reads one poll of the plan, again and again. */
export interface PollReader {
  /** The streams it feeds. */
  readonly streams: readonly string[]
  /** When to read next, ms of the scheduler's clock, which shows `now`; that or earlier means at once. */
  dueAt(now: number): number
  /** Asks the exchange. What comes of the answer is taken in by the function that this resolves to, so that an answer nobody waits for any more changes nothing. */
  read(): Promise<() => Reading>
}
