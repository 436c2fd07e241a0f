import { botSnapshotIn } from '../../bot/state/bot-snapshot.ts'
import type { NewEntry } from '../../journal/journal.ts'
import { JournalReader } from '../../journal/journal-reader.ts'

/** Entries of a journal that are shown from before now. */
const REMEMBERED = 5000

/** The latest entries of a journal, after the session that they belong to, which may be known from the snapshot before them alone. */
export function latestEntries(path: string): readonly NewEntry[] {
  const reader = new JournalReader(path)
  try {
    const after = Math.max(0, reader.lastSeq - REMEMBERED)
    const base = reader.base()
    const session: NewEntry | undefined =
      reader.sessionBefore(after) ??
      (base && { kind: 'session', time: base.time, body: botSnapshotIn(base).session })
    return [...(session === undefined ? [] : [session]), ...reader.entries({ after })]
  } finally {
    reader.close()
  }
}
