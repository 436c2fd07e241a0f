import type { JournalEntry } from '../../src/journal/journal-entry.ts'
import type { JournalReader } from '../../src/journal/journal-reader.ts'

/** Events that led to at least one output of a type, in order. */
export function entriesThatDecided(reader: JournalReader, type: string): readonly JournalEntry[] {
  return [...reader.entries()].filter(
    ({ decisions = [] }) =>
      (decisions as readonly { readonly type: string }[]).some(decision => decision.type === type), // what `RecordedEngine` wrote
  )
}
