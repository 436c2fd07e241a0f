import { botSnapshotIn } from '../../bot/state/bot-snapshot.ts'
import type { NewEntry } from '../../journal/journal.ts'
import { JournalReader } from '../../journal/journal-reader.ts'

/** Entries of a journal that are shown from before now. */
const REMEMBERED = 5000

/** The latest entries of a journal. */
export interface LatestEntries {
  readonly entries: readonly NewEntry[]
  /** Time of the first of them, ms UTC, where others were before them; absent where they are all. */
  readonly since?: number
}

/** The latest entries of a journal, after the session that they belong to, which may be known from the snapshot before them alone. */
export function latestEntries(path: string): LatestEntries {
  const reader = new JournalReader(path)
  try {
    const after = Math.max(0, reader.lastSeq - REMEMBERED)
    const base = reader.base()
    const session: NewEntry | undefined =
      reader.sessionBefore(after) ??
      (base && { kind: 'session', time: base.time, body: botSnapshotIn(base).session })
    const entries = [...reader.entries({ after })]
    const [first] = entries
    const isAll = after === 0 && base === undefined
    return {
      entries: [...(session === undefined ? [] : [session]), ...entries],
      ...(!isAll && first !== undefined && { since: first.time }),
    }
  } finally {
    reader.close()
  }
}
