import { JournalError } from '../../journal/journal-error.ts'
import { JournalReader } from '../../journal/journal-reader.ts'
import { botSnapshotIn } from './bot-snapshot.ts'
import type { BotState } from './bot-state.ts'
import { runAgain } from './run-again.ts'

/** Origin of a restart. */
export interface Restored {
  /** Entry of the snapshot, 0 without one. */
  readonly snapshot: number
  /** Entries that were run again. */
  readonly entries: number
}

/**
 * Restores a state to the end of a journal: its latest snapshot, then a replay of the entries after it. Their
 * decisions are compared with the recorded ones, and not sent. `undefined` for a journal without a session.
 * Throws `JournalError` if a decision differs: the ledger would not match the orders at the exchange.
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
