import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeAll } from '../../../src/cli/new-strategy/write-all.ts'
import { UsageError } from '../../../src/domain/sluice-error.ts'
import { scratchFolder } from '../../klines/store/scratch-store.ts'

const FILES = [
  { path: 'one/a.txt', text: 'A' },
  { path: 'two/b.txt', text: 'B' },
]

it('writes all files, and makes their folders', () => {
  const folder = scratchFolder()
  writeAll(folder, FILES)
  expect(FILES.map(({ path }) => readFileSync(join(folder, path), 'utf8'))).toEqual(['A', 'B'])
})

it('writes none where one is there already, and leaves that as it is', () => {
  const folder = scratchFolder()
  mkdirSync(join(folder, 'two'))
  writeFileSync(join(folder, 'two/b.txt'), 'mine')
  expect(() => writeAll(folder, FILES)).toThrow(UsageError)
  expect(() => writeAll(folder, FILES)).toThrow(
    'two/b.txt exists already, and nothing was written; take another name.',
  )
  expect(existsSync(join(folder, 'one'))).toBe(false)
  expect(readFileSync(join(folder, 'two/b.txt'), 'utf8')).toBe('mine')
})

it('takes back what it wrote where a later one cannot be written', () => {
  const folder = scratchFolder()
  writeFileSync(join(folder, 'two'), 'a file, where a folder is needed')
  expect(() => writeAll(folder, FILES)).toThrow(/cannot be written, and nothing was/)
  expect(existsSync(join(folder, 'one/a.txt'))).toBe(false)
})
