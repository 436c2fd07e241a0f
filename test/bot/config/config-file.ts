import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { UsageError } from '../../../src/domain/sluice-error.ts'

/** Path of a new file with the given text; it goes with the test. */
export function configFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'bot.yaml')
  writeFileSync(path, text)
  return path
}

/** The lines of the `UsageError` that loading `text` ends in, the folder left out. */
export function problemsOf(text: string, load: (path: string) => unknown): string[] {
  const path = configFile(text)
  try {
    load(path)
  } catch (error) {
    if (error instanceof UsageError) return error.message.replaceAll(`${dirname(path)}/`, '').split('\n')
    throw error
  }
  return []
}
