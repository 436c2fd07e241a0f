import { JournalError } from '../../journal/journal-error.ts'
import { JournalReader } from '../../journal/journal-reader.ts'
import { botSnapshotIn } from './bot-snapshot.ts'
import type { BotState } from './bot-state.ts'
import { runAgain } from './run-again.ts'

/** What a restart came from. */
export interface Restored {
  /** Entry of the snapshot, 0 without one. */
  readonly snapshot: number
  /** Entries that were run again. */
  readonly entries: number
}

/**
 * Brings a state to where a journal ends: its latest snapshot, and the entries after it once more. What these decided is
 * compared with what was recorded, and sent nowhere. `undefined` for a journal without a session. Throws `JournalError`
 * where a decision comes out differently: the ledger would not be the one whose orders are at the exchange.
 */
export async function restoreState(path: string, state: BotState): Promise<Restored | undefined> {
  const reader = new JournalReader(path)
  try {
    const snapshot = reader.snapshot()
    if (snapshot !== undefined) await state.restore(botSnapshotIn(snapshot), reader.klinesAt(snapshot))
    let entries = 0
    for (const entry of reader.entries({ after: snapshot?.seq ?? 0 })) {
      const { isSame } = await runAgain(state, entry)
      if (!isSame) throw differs(path, entry.seq)
      entries++
    }
    return state.session && { snapshot: snapshot?.seq ?? 0, entries }
  } finally {
    reader.close()
  }
}

function differs(path: string, seq: number): JournalError {
  return new JournalError(
    `The journal ${path} cannot be used: its entry ${seq}, run again, leads to another decision than the recorded one; "npm run replay -- ${path}" shows both. If a strategy file was changed while the bot was not stopped in order, start and stop it once with the old file.`,
  )
}
