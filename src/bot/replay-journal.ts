import type { EngineEvent } from '../domain/engine-event.ts'
import { UsageError } from '../domain/sluice-error.ts'
import { Engine } from '../engine/engine.ts'
import type { JournalReader } from '../journal/journal-reader.ts'
import { journalText } from '../journal/journal-text.ts'
import { Ledger } from '../ledger/ledger.ts'
import type { Strategy } from '../strategy/define-strategy.ts'
import type { SessionRecord } from './session-record.ts'

/** A decision that came out differently. */
export interface ReplayDifference {
  /** The entry of the journal. */
  readonly seq: number
  /** ms UTC. */
  readonly time: number
  /** JSON of what the journal says, and of what came out now. */
  readonly recorded: string
  readonly again: string
}

/** What running a journal's events again showed. */
export interface ReplayResult {
  readonly sessions: number
  /** Events that were run again. */
  readonly events: number
  /** Of them, those that had led to something. */
  readonly decisions: number
  /** The first difference; nothing after it was run. */
  readonly difference: ReplayDifference | undefined
}

/**
 * Runs the events of a journal through strategies, risk and ledger again, and compares every decision with the recorded
 * one, character by character. Strategies come from the files that the journal names, as `load` reads them. Throws
 * `UsageError` where a journal has events before any session.
 */
export async function replayJournal(
  reader: JournalReader,
  load: (file: string) => Promise<Strategy>,
): Promise<ReplayResult> {
  let engine: Engine | undefined
  let [sessions, events, decisions] = [0, 0, 0]
  for (const { seq, time, kind, body, decisions: noted } of reader.entries()) {
    if (kind === 'session') {
      engine = await engineOf(body as SessionRecord, load) // what `RecordedEngine.begin` wrote
      sessions++
    }
    if (kind !== 'event') continue
    if (engine === undefined) {
      throw new UsageError(`The journal ${reader.path} has events, but does not say how the bot was started.`)
    }
    const outputs = engine.process(body as EngineEvent) // what `RecordedEngine.process` wrote
    events++
    if (noted !== undefined) decisions++
    const recorded = journalText(noted ?? [])
    const again = journalText(outputs)
    if (again !== recorded) {
      return { sessions, events, decisions, difference: { seq, time, recorded, again } }
    }
  }
  return { sessions, events, decisions, difference: undefined }
}

/** An engine as it was when a session began. */
async function engineOf(
  { bot, risk, strategies, instruments, balances }: SessionRecord,
  load: (file: string) => Promise<Strategy>,
): Promise<Engine> {
  const desks = await Promise.all(
    strategies.map(async ({ file, ...desk }) => ({ ...desk, strategy: await load(file) })),
  )
  return new Engine({ bot, ledger: new Ledger(instruments, balances), desks, risk })
}
