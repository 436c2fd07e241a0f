import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isFileLocked, takeFileLock } from '../../src/files/file-lock.ts'
import { afterTest } from '../after-test.ts'

it('is seen from beside while it is held, before it was ever taken, and after its end', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-lock-'))
  afterTest(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'bot.journal.lock')
  expect(isFileLocked(path)).toBe(false)
  const unlock = takeFileLock(path)
  expect(isFileLocked(path)).toBe(true)
  // A look does not let go of it.
  expect(takeFileLock(path)).toBeUndefined()
  unlock?.()
  expect(isFileLocked(path)).toBe(false)
  takeFileLock(path)?.()
})
