import { UsageError } from '../../domain/sluice-error.ts'
import type { JournalReader } from '../../journal/journal-reader.ts'
import { journalText } from '../../journal/journal-text.ts'
import { botSnapshotIn } from './bot-snapshot.ts'
import { BotState, type LoadStrategy } from './bot-state.ts'
import { type RunAgain, runAgain } from './run-again.ts'

/** A decision with another result. */
export interface ReplayDifference extends Pick<RunAgain, 'recorded' | 'again'> {
  /** The entry of the journal. */
  readonly seq: number
  /** ms UTC. */
  readonly time: number
}

/** Result of a journal's replay. */
export interface ReplayResult {
  readonly sessions: number
  /** Events that were run again. */
  readonly events: number
  /** Number of events with decisions. */
  readonly decisions: number
  /** The first difference; the replay ends there. */
  readonly difference: ReplayDifference | undefined
}

/**
 * Replays the events of a journal through strategies, risk and ledger, and compares every decision with the
 * recorded one, and the state with the last snapshot, character by character. Strategies come from the
 * journal's files, through `load`. If old entries were dropped, the replay begins at the snapshot before the
 * first remaining one. Throws `UsageError` if a journal has events before any session.
 */
export async function replayJournal(reader: JournalReader, load: LoadStrategy): Promise<ReplayResult> {
  const state = new BotState(load)
  let [sessions, events, decisions] = [0, 0, 0]
  const base = reader.base()
  if (base !== undefined) await state.restore(botSnapshotIn(base), reader.klinesAt(base))
  const last = reader.snapshot()
  for (const entry of reader.entries()) {
    const { seq, time, kind, decisions: noted } = entry
    if (kind === 'session') sessions++
    if (kind === 'event') {
      events++
      if (noted !== undefined) decisions++
      if (state.session === undefined)
        throw new UsageError(
          `The journal ${reader.path} has events, but does not say how the bot was started.`,
        )
    }
    const { recorded, again, isSame } = await runAgain(state, entry)
    if (!isSame) return { sessions, events, decisions, difference: { seq, time, recorded, again } }
    if (seq !== last?.seq) continue
    const [kept, reached] = [journalText(last.state), journalText(state.snapshot())]
    if (kept !== reached)
      return { sessions, events, decisions, difference: { seq, time, recorded: kept, again: reached } }
  }
  return { sessions, events, decisions, difference: undefined }
}
