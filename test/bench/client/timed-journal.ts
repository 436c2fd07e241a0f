import type { Journal, JournalWriter } from '../../../src/journal/journal.ts'
import { nowMs } from './watched-sockets.ts'

/** A journal that tells how long each commit took, ms, and when it ended, by the clock of `nowMs`. */
export function timedJournal(
  journal: Journal,
  onCommit: (commit: { readonly endedAt: number; readonly ms: number }) => void,
): JournalWriter {
  return {
    path: journal.path,
    get seq() {
      return journal.seq
    },
    append: entry => journal.append(entry),
    commit: () => {
      const startedAt = nowMs()
      journal.commit()
      const endedAt = nowMs()
      onCommit({ endedAt, ms: endedAt - startedAt })
    },
    snapshot: (...state) => journal.snapshot(...state),
  }
}
