import { BotState, type LoadStrategy } from '../../../src/bot/state/bot-state.ts'
import { restoreState } from '../../../src/bot/state/restore-state.ts'
import type { EngineOutput } from '../../../src/domain/events/engine-output.ts'
import type { JournalEntry } from '../../../src/journal/journal-entry.ts'
import { journalText } from '../../../src/journal/journal-text.ts'

/** Hears of every entry that a shadow took, and of what followed from it. */
export type OnTaken = (state: BotState, entry: JournalEntry, decisions: readonly EngineOutput[]) => void

/**
 * A second engine that takes what a bot writes into its journal, at once: what the bot believes can be looked at from
 * outside, and what it decides is compared with what its journal leads to.
 */
export class Shadow {
  readonly #onTaken: OnTaken
  readonly #onTrouble: (problem: string) => void
  readonly #state: BotState
  #work: Promise<void>

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

  async #follow(entry: JournalEntry): Promise<void> {
    try {
      const decisions = await this.#state.take(entry)
      if (journalText(decisions) !== journalText(entry.decisions ?? []))
        this.#onTrouble(
          `entry ${entry.seq} leads to ${journalText(decisions)}, not to ${journalText(entry.decisions)}`,
        )
      this.#onTaken(this.#state, entry, decisions)
    } catch (error) {
      this.#onTrouble(`entry ${entry.seq} cannot be taken: ${error}`)
    }
  }
}
