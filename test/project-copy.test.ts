import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { blocksOf, commandsIn, PAGES as PAGES_OF_GUIDE } from './docs/guide-pages.ts'
import { copyOfProject } from './project-copy.ts'
import { isShipped, SHIPPED } from './shipped-files.ts'

const PAGES = resolve(import.meta.dirname, '../docs/examples')
/** Files that the first page of the guide makes, and their neighbors. */
const FILES = {
  'strategies/rsi-dip.ts': false,
  'config/rsi-dip.yaml': false,
  'test/strategies/rsi-dip.test.ts': false,
  'strategies/grid.ts': true,
  'config/paper.yaml': true,
  'config/examples/grid.yaml': true,
  'test/strategies/grid.test.ts': true,
  'test/strategies/played.ts': true,
}

it('a copy of the project has no file that its user has added', () => {
  const used = copyOfProject()
  const [made = ''] = Object.keys(FILES)
  writeFileSync(join(used, made), '')
  const copy = copyOfProject({ from: used })
  expect([existsSync(join(copy, made)), existsSync(join(copy, 'strategies/grid.ts'))]).toEqual([false, true])
})

it('files of users are those of other names where users put theirs', () => {
  expect(Object.keys(FILES).map(isShipped)).toEqual(Object.values(FILES))
})

it('configurations that the guide starts come with the project, or a page makes them', () => {
  const blocks = ['../README.md', ...PAGES_OF_GUIDE].flatMap(blocksOf)
  const made = blocks.map(({ file }) => file)
  const named = blocks
    .filter(({ kind }) => kind === 'sh')
    .flatMap(commandsIn)
    .flatMap(command => [...command.matchAll(/\bconfig\/[\w/-]+\.yaml\b/g)].map(([file]) => file))
  const missing = named.filter(file => !made.includes(file) && !isShipped(file))
  expect([named.includes('config/paper-live.yaml'), missing]).toEqual([true, []])
})

it('the strategies that come with the project are those that have a page', () => {
  const pages = readdirSync(PAGES).filter(file => file !== 'README.md')
  expect(pages.map(file => file.replace('.md', '')).sort()).toEqual(SHIPPED)
})
