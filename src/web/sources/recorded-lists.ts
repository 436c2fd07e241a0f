import { botSnapshotIn } from '../../bot/state/bot-snapshot.ts'
import type { NewEntry } from '../../journal/journal.ts'
import { JournalReader } from '../../journal/journal-reader.ts'
import { LIST_BOUNDS, TradingHistory } from '../history/trading-history.ts'

/** Entries that are read at once: some milliseconds, in which a bot waits. */
const READ_AT_ONCE = 250

/** Orders, round trips and log lines of all entries that a journal has now; it reads piece by piece, so that a bot trades meanwhile. */
export async function recordedLists(path: string): Promise<TradingHistory> {
  const reader = new JournalReader(path)
  try {
    const history = new TradingHistory(LIST_BOUNDS)
    const { lastSeq } = reader
    const first = firstSession(reader)
    if (first !== undefined) {
      history.beginAt(first.time)
      history.onEntry(first)
    }
    for (let read = first?.seq ?? 0; read < lastSeq; read += READ_AT_ONCE) {
      for (const entry of reader.entries({ after: read, upTo: read + READ_AT_ONCE })) history.onEntry(entry)
      await new Promise(resolve => setImmediate(resolve))
    }
    return history
  } finally {
    reader.close()
  }
}

/** The session before the first entry, where entries are dropped; `undefined` where all are left. */
function firstSession(reader: JournalReader): (NewEntry & { readonly seq: number }) | undefined {
  const base = reader.base()
  return base && { kind: 'session', time: base.time, body: botSnapshotIn(base).session, seq: base.seq }
}
