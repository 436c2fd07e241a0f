import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { PLANTED_FAULTS } from './planted-faults.ts'

const ROOT = resolve(import.meta.dirname, '../../..')

it.each(PLANTED_FAULTS)('can be planted into the source as it is: $name', ({ edits }) => {
  expect(edits.length).toBeGreaterThan(0)
  for (const { file, find, replace } of edits) {
    expect(readFileSync(join(ROOT, file), 'utf8').split(find)).toHaveLength(2)
    expect(replace).not.toBe(find)
  }
})
