import type { EngineOutput } from '../../src/domain/events/engine-output.ts'
import { isWorking } from '../../src/domain/orders/order-status.ts'
import type { Journal, JournalWriter, NewEntry } from '../../src/journal/journal.ts'

/** A journal that counts the orders which it hears are over. */
export class CountingJournal implements JournalWriter {
  readonly #journal: Journal
  #finished = 0

  constructor(journal: Journal) {
    this.#journal = journal
  }

  /** Orders that are over; one that is over and then fills after all counts twice. */
  get finished(): number {
    return this.#finished
  }

  get path(): string {
    return this.#journal.path
  }

  get seq(): number {
    return this.#journal.seq
  }

  append(entry: NewEntry): number {
    // What the engine gave, as the bot hands it over.
    for (const output of (entry.decisions ?? []) as readonly EngineOutput[])
      if ((output.type === 'orderChanged' || output.type === 'fillBooked') && !isWorking(output.order.status))
        this.#finished++
    return this.#journal.append(entry)
  }

  commit(): void {
    this.#journal.commit()
  }

  snapshot(...kept: Parameters<Journal['snapshot']>): void {
    this.#journal.snapshot(...kept)
  }
}
