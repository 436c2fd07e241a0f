import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A path for a journal of one test; its folder goes with the test. */
export function journalPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-journal-'))
  folders.push(folder)
  return join(folder, 'bot.journal')
}
