import { existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Logger } from 'pino'
import { leftBehind } from '../bot/log/left-behind.ts'
import { lastState } from '../bot/start/last-state.ts'
import { prepareFolder } from '../bot/state/prepared-path.ts'
import type { BotConfig } from '../config/bot-config.ts'
import { isOpenToOthers } from '../files/private-file.ts'
import { Journal } from '../journal/journal.ts'

/** Journal of a start. A start that fails before trading removes the files that it created. */
export class StartJournal {
  readonly journal: Journal
  readonly #isNew: boolean
  /** Files of a simulated exchange and of notices beside the journal that did not exist before. */
  readonly #absent: readonly string[]
  #isKept = false

  /** Opens or creates the journal; throws `UsageError` and `JournalError` if it cannot be used. */
  constructor({ file, keepEntries }: NonNullable<BotConfig['journal']>, log: Logger) {
    prepareFolder(dirname(file))
    this.#isNew = !existsSync(file)
    this.#absent = ['.exchange', '.notices']
      .flatMap(name => ['', '-wal', '-shm'].map(end => `${file}${name}${end}`))
      .filter(path => !existsSync(path))
    this.journal = new Journal(file, { keepEntries })
    const { upgrade } = this.journal
    if (upgrade !== undefined)
      log.warn({ file, from: upgrade.from, copy: upgrade.copy }, 'the journal is upgraded')
    const open = [file, `${file}.exchange`].filter(path => existsSync(path) && isOpenToOthers(path))
    if (open.length > 0)
      log.warn(
        { file: open.join(' and '), advice: `chmod 600 ${open.join(' ')}` },
        'other users of this machine can read the journal',
      )
  }

  /** Keeps the files from now on, because the bot is ready to trade. */
  keep(): void {
    this.#isKept = true
  }

  /**
   * Says what the bot held when it last ran, because this start failed before trading; nothing for a bot that never ran.
   */
  async logLastState(log: Logger): Promise<void> {
    if (this.#isKept || this.#isNew) return
    this.journal.commit()
    const state = await lastState(this.journal.path)
    if (state !== undefined) log.error({ state: leftBehind(state.engine, true).sentence }, 'the start failed')
  }

  /** Closes the journal, after the venue and the notices. */
  close(): void {
    if (this.#isKept || !this.#isNew) {
      this.journal.close()
      return
    }
    for (const path of this.#absent) rmSync(path, { force: true })
    this.journal.discard()
  }
}
