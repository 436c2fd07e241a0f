import { botSnapshotIn } from '../bot/state/bot-snapshot.ts'
import { BotState, type LoadStrategy } from '../bot/state/bot-state.ts'
import { runAgain } from '../bot/state/run-again.ts'
import type { Explain } from '../domain/events/explanation.ts'
import type { JournalEntry } from '../journal/journal-entry.ts'
import type { JournalReader } from '../journal/journal-reader.ts'

/**
 * Runs the entries of a journal again for the values of indicators, which it does not keep, as long as the code decides as
 * recorded.
 */
export class ExplainedRun {
  readonly #state: BotState
  #endedAt: number | undefined

  private constructor(load: LoadStrategy, explain: Explain) {
    this.#state = new BotState(load, explain)
  }

  /** Begins where a journal does. */
  static async of(reader: JournalReader, load: LoadStrategy, explain: Explain): Promise<ExplainedRun> {
    const run = new ExplainedRun(load, explain)
    const base = reader.base()
    if (base !== undefined) await run.#state.restore(botSnapshotIn(base), reader.klinesAt(base))
    return run
  }

  /** When the code first decided other than recorded, ms UTC; `undefined` if it never did. */
  get endedAt(): number | undefined {
    return this.#endedAt
  }

  /** Runs an entry again; changed code may also fail at what it never decided. */
  async take(entry: JournalEntry): Promise<void> {
    if (this.#endedAt !== undefined) return
    try {
      const { isSame } = await runAgain(this.#state, entry)
      if (!isSame) this.#endedAt = entry.time
    } catch {
      this.#endedAt = entry.time
    }
  }
}
