import { existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Logger } from 'pino'
import { prepareFolder } from '../bot/start/prepared-path.ts'
import type { BotConfig } from '../config/bot-config.ts'
import { isOpenToOthers } from '../files/private-file.ts'
import { Journal } from '../journal/journal.ts'

/** The journal of a start. A start that is refused before it trades leaves no file behind that it made. */
export class StartJournal {
  readonly journal: Journal
  readonly #isNew: boolean
  /** The files of a simulated exchange beside the journal that were not there before. */
  readonly #absent: readonly string[]
  #isKept = false

  /** Opens the journal, or makes it; throws `UsageError` and `JournalError` where it cannot be used. */
  constructor({ file, keepEntries }: NonNullable<BotConfig['journal']>, log: Logger) {
    prepareFolder(dirname(file))
    this.#isNew = !existsSync(file)
    this.#absent = ['', '-wal', '-shm'].map(end => `${file}.exchange${end}`).filter(path => !existsSync(path))
    this.journal = new Journal(file, { keepEntries })
    if (isOpenToOthers(file))
      log.warn({ file, advice: `chmod 600 ${file}` }, 'other users of this machine can read the journal')
  }

  /** The bot is ready to trade: from now on the files stay. */
  keep(): void {
    this.#isKept = true
  }

  /** Closes the journal; the venue is closed already. */
  close(): void {
    if (this.#isKept || !this.#isNew) {
      this.journal.close()
      return
    }
    for (const path of this.#absent) rmSync(path, { force: true })
    this.journal.discard()
  }
}
