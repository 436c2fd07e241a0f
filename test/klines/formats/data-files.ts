import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'

/** A file with this content in a folder of its own, gone after the test; returns its path. */
export function fileOf(content: string | Uint8Array, name = 'k.csv'): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-formats-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** Path of a small binary file beside the tests. */
export function fixture(name: string): string {
  return resolve(import.meta.dirname, 'fixtures', name)
}
