/**
 * What an entry is about.
 * `session`: a bot started, with everything its decisions depend on. `event`: an input of the engine and what it
 * decided. `send`: a request is about to leave. `operator`: a command of the person in charge. `note`: something worth
 * keeping that no decision depends on.
 */
export type EntryKind = 'session' | 'event' | 'send' | 'operator' | 'note'

/** One entry of the journal. */
export interface JournalEntry {
  /** Counts up by one from 1. */
  readonly seq: number
  /** Exchange time as the bot knew it, ms UTC. */
  readonly time: number
  readonly kind: EntryKind
  readonly body: unknown
  /** What the engine gave back; only of an `event`. */
  readonly decisions: unknown
}

/** The state of everything at one entry, so that earlier ones need not be run again. */
export interface JournalSnapshot {
  /** The last entry it contains. */
  readonly seq: number
  readonly time: number
  readonly state: unknown
}

/** Klines of one series, oldest first: six doubles each (openTime, open, high, low, close, volume). */
export interface KlineBlock {
  /** Symbol and interval. */
  readonly series: string
  readonly values: Float64Array
}
