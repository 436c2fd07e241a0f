import { BotState, type LoadStrategy } from '../../src/bot/bot-state.ts'
import { restoreState } from '../../src/bot/restore-state.ts'
import type { EngineEvent } from '../../src/domain/engine-event.ts'
import type { EngineOutput } from '../../src/domain/engine-output.ts'
import type { JournalEntry } from '../../src/journal/journal-entry.ts'
import { journalText } from '../../src/journal/journal-text.ts'

/** Hears of every event that a shadow took. */
export type OnTaken = (state: BotState, event: EngineEvent, decisions: readonly EngineOutput[]) => void

/**
 * A second engine that takes what a bot writes into its journal, at once: what the bot believes can be looked at from
 * outside, and what it decides is compared with what its journal leads to.
 */
export class Shadow {
  readonly #onTaken: OnTaken
  readonly #onTrouble: (problem: string) => void
  readonly #state: BotState
  #work: Promise<void>
  #isOver = false

  constructor(
    journalPath: string,
    load: LoadStrategy,
    onTaken: OnTaken,
    onTrouble: (problem: string) => void,
  ) {
    this.#onTaken = onTaken
    this.#onTrouble = onTrouble
    this.#state = new BotState(load)
    this.#work = restoreState(journalPath, this.#state).then(
      () => undefined,
      error => onTrouble(`the journal cannot be restored: ${error}`),
    )
  }

  /** Takes an entry of the journal. */
  take(entry: JournalEntry): void {
    this.#work = this.#work.then(() => this.#follow(entry))
  }

  /** Forgets what comes after the end of its bot. */
  end(): void {
    this.#isOver = true
  }

  async #follow(entry: JournalEntry): Promise<void> {
    if (this.#isOver) return
    try {
      const decisions = await this.#state.take(entry)
      if (journalText(decisions) !== journalText(entry.decisions ?? []))
        this.#onTrouble(
          `entry ${entry.seq} leads to ${journalText(decisions)}, not to ${journalText(entry.decisions)}`,
        )
      // What `RecordedEngine` wrote.
      if (entry.kind === 'event') this.#onTaken(this.#state, entry.body as EngineEvent, decisions)
    } catch (error) {
      this.#onTrouble(`entry ${entry.seq} cannot be taken: ${error}`)
    }
  }
}
