import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { prepareFile, prepareFolder } from '../../../src/bot/state/prepared-path.ts'
import { UsageError } from '../../../src/domain/sluice-error.ts'

it('refuses a path through an ordinary file, and a folder for a file, with a sentence', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-path-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'notes.txt')
  writeFileSync(file, 'mine')
  const refusals = [
    [() => prepareFolder(file), 'an ordinary file stands where a folder is needed'],
    [() => prepareFolder(join(file, 'inside')), 'an ordinary file stands where a folder is needed'],
    [() => prepareFile(folder), 'it is a folder'],
    [() => prepareFile(join(folder, 'absent', 'journal')), 'the path leads nowhere'],
  ] as const
  for (const [prepare, reason] of refusals) {
    expect(prepare).toThrow(UsageError)
    expect(prepare).toThrow(`cannot be made: ${reason}. Name a path in a folder that you may write to.`)
  }
})
