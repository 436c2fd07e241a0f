import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadStrategy } from '../../../src/bot/start/load-strategy.ts'
import { afterTest } from '../../after-test.ts'

it.each([
  ['lnog.ts', 'did you mean "long.ts"?'],
  ['long.js', 'did you mean "long.ts"?'],
  // Half of its letters are those of "long", and its ending is no likeness.
  ['none.ts', 'give the path of a .ts or .js file.'],
])('says of the missing strategy file %s: %s', async (name, hint) => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-missing-'))
  afterTest(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'long.ts'), '')
  const path = join(folder, name)
  await expect(loadStrategy(path)).rejects.toThrow(`The strategy file ${path} does not exist; ${hint}`)
})
