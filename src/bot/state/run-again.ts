import type { JournalEntry } from '../../journal/journal-entry.ts'
import { journalText } from '../../journal/journal-text.ts'
import type { BotState } from './bot-state.ts'

/** What an entry of a journal led to when it was written, and what it leads to now, as JSON. */
export interface RunAgain {
  readonly recorded: string
  readonly again: string
}

/** Runs an entry again; what follows from it is sent nowhere. */
export async function runAgain(state: BotState, entry: JournalEntry): Promise<RunAgain> {
  const recorded = journalText(entry.decisions ?? [])
  return { recorded, again: journalText(await state.take(entry)) }
}
