import { copyFileSync, existsSync } from 'node:fs'
import type { SentRequest } from '../../../src/execution/sent-requests.ts'
import { Journal, type JournalWriter } from '../../../src/journal/journal.ts'
import type { JournalEntry } from '../../../src/journal/journal-entry.ts'

/** After an entry was appended, after entries reached the disk, after the state was kept. */
export type JournalMoment = 'noted' | 'committed' | 'kept'

/** What tells of the writes of a journal. */
export interface MortalJournalOptions {
  readonly path: string
  readonly keepEntries?: number
  readonly isAlive: () => boolean
  /** Whoever hears of these moments may end the life. */
  readonly onMoment: (moment: JournalMoment) => void
  /** Hears of every entry, before its moment. */
  readonly onEntry?: (entry: JournalEntry) => void
}

/** A journal that a life ends in the middle of; of a dead one nothing is written any more. */
export class MortalJournal implements JournalWriter {
  readonly path: string
  readonly #options: MortalJournalOptions
  readonly #inner: Journal
  #isDirty = false
  /** Placements that are noted, but not on the disk yet, by clientOrderId. */
  readonly #unwritten = new Set<string>()

  constructor(options: MortalJournalOptions) {
    const { path, keepEntries } = options
    this.path = path
    this.#options = options
    this.#inner = new Journal(path, keepEntries === undefined ? {} : { keepEntries })
  }

  get seq(): number {
    return this.#inner.seq
  }

  /** Whether the placement of an order is noted, and would be lost in a crash. */
  hasUnwritten(clientOrderId: string): boolean {
    return this.#unwritten.has(clientOrderId)
  }

  append(entry: Parameters<Journal['append']>[0]): number {
    this.#isDirty = true
    if (entry.kind === 'send') this.#unwritten.add((entry.body as SentRequest).clientOrderId)
    return this.#live(0, 'noted', () => {
      const seq = this.#inner.append(entry)
      this.#options.onEntry?.({ decisions: undefined, ...entry, seq })
      return seq
    })
  }

  /** A commit of nothing is no moment of its own. */
  commit(): void {
    if (!this.#isDirty) return
    this.#isDirty = false
    this.#live(undefined, 'committed', () => {
      this.#inner.commit()
      this.#unwritten.clear()
    })
  }

  snapshot(...args: Parameters<Journal['snapshot']>): void {
    this.#isDirty = false
    this.#live(undefined, 'kept', () => {
      this.#inner.snapshot(...args)
      this.#unwritten.clear()
    })
  }

  /** Lets go of the file, as the end of a process does. */
  close(): void {
    this.#inner.close()
  }

  #live<Result>(otherwise: Result, moment: JournalMoment, write: () => Result): Result {
    if (!this.#options.isAlive()) return otherwise
    const result = write()
    this.#options.onMoment(moment)
    return result
  }
}

/** What would be found on the disk if the process of a journal were killed now: what is not committed is not there. */
export function copyAsFound(from: string, to: string): void {
  for (const suffix of ['', '-wal'])
    if (existsSync(`${from}${suffix}`)) copyFileSync(`${from}${suffix}`, `${to}${suffix}`)
}
