import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterTest } from '../after-test.ts'

/** A path for a journal of one test; its folder goes with the test. */
export function journalPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-journal-'))
  afterTest(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'bot.journal')
}
