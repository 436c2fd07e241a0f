/**
 * Kind of an entry.
 * `session`: a bot started, with all inputs of its decisions. `event`: an input of the engine and its
 * decisions. `send`: a request about to be sent. `operator`: a command of the operator. `note`: information
 * that no decision depends on.
 */
export type EntryKind = 'session' | 'event' | 'send' | 'operator' | 'note'

export interface JournalEntry {
  /** Increases by one, from 1. */
  readonly seq: number
  /** The bot's estimate of exchange time, ms UTC. */
  readonly time: number
  readonly kind: EntryKind
  readonly body: unknown
  /** Output of the engine, for an `event` only. */
  readonly decisions: unknown
}

/** State after one entry, so that earlier entries need not be replayed. */
export interface JournalSnapshot {
  /** Last entry that it includes. */
  readonly seq: number
  readonly time: number
  readonly state: unknown
}

/** Klines of one series, oldest first: six doubles each (openTime, open, high, low, close, volume). */
export interface KlineBlock {
  /** Symbol and interval, as text. */
  readonly series: string
  readonly values: Float64Array
}
