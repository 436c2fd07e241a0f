import type { Explain } from '../domain/events/explanation.ts'
import type { NewEntry } from '../journal/journal.ts'

/** Follows what a bot does. Both are called while it works, and must return at once and never throw. */
export interface BotObserver {
  /** Receives what the decisions of an event followed from, before the entry of that event. */
  readonly explain: Explain
  /** Receives each entry that the journal takes, also of a bot without one. */
  readonly onEntry: (entry: NewEntry) => void
}
