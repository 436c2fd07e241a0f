import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  circularFolders,
  type Folder,
  foldersIn,
  folderViolations,
  idlePermissions,
} from './architecture/folder-rules.ts'
import { homonymsIn } from './architecture/homonyms.ts'
import { type Room, roomsIn } from './architecture/import-rules.ts'
import { linterRules } from './architecture/linter-rules.ts'
import { idleRoomImports, violationsOf } from './architecture/violations.ts'

const ROOT = `${import.meta.dirname}/..`
const architecture = readFileSync(`${ROOT}/ARCHITECTURE.md`, 'utf8')
const rooms = roomsIn(architecture)
const folders = foldersIn(architecture)
const sources = globSync('{src,backtest,strategies,test}/**/*.ts', { cwd: ROOT }).map(path => ({
  path,
  text: readFileSync(`${ROOT}/${path}`, 'utf8'),
}))
const room = (path: string): Room | undefined => rooms.find(candidate => candidate.path === path)

describe('the table in ARCHITECTURE.md', () => {
  it('is read with its rooms, folders, packages and purity', () => {
    expect(room('src/risk')).toEqual({
      path: 'src/risk',
      folders: ['src/domain', 'src/ledger'],
      packages: [],
      isPure: true,
    })
    expect(room('src/exchange')?.packages).toBe('any')
    expect(rooms.filter(({ isPure }) => isPure)).toHaveLength(10)
  })

  it('is kept by every file', () => {
    expect(sources.length).toBeGreaterThan(50)
    expect(sources.flatMap(source => violationsOf(source, rooms))).toEqual([])
  })

  it('allows no import that no file needs, but to strategies, which users write', () => {
    const ours = rooms.filter(({ path }) => path !== 'strategies')
    expect(idleRoomImports(sources, ours)).toEqual([])
  })

  it('is what the linter enforces too', () => {
    const { overrides } = JSON.parse(readFileSync(`${ROOT}/biome.json`, 'utf8'))
    expect(overrides).toEqual(linterRules(rooms))
  })
})

describe('the table of folders in ARCHITECTURE.md', () => {
  it('is read with what each may import', () => {
    expect(folders.find(({ path }) => path === 'src/engine/orders')).toEqual({
      path: 'src/engine/orders',
      imports: ['risk', '.'],
    })
    expect(folders.length).toBeGreaterThan(60)
  })

  it('is kept by every file', () => {
    expect(sources.flatMap(source => folderViolations(source, folders))).toEqual([])
  })

  it('allows nothing that no file needs', () => {
    expect(idlePermissions(sources, folders)).toEqual([])
  })

  it('lets folders import each other one way', () => {
    expect(circularFolders(folders)).toEqual([])
  })
})

describe('the rules of folders', () => {
  const given: readonly Folder[] = [
    { path: 'src/bot/log', imports: ['text'] },
    { path: 'src/bot/text', imports: [] },
    { path: 'src/bot/venue', imports: ['.'] },
  ]

  it.each([
    ['src/bot/text/a.ts', "import { b } from '../log/b.ts'", 'imports src/bot/log/b.ts, which src/bot/text'],
    ['src/bot/log/a.ts', "import type { B } from '../bot.ts'", 'imports src/bot/bot.ts'],
    ['src/bot/log/deep/a.ts', "import { b } from '../../venue/b.ts'", 'imports src/bot/venue/b.ts'],
    ['src/bot/other/a.ts', '', 'lies in no folder'],
  ])('find what is wrong with %s: %s', (path, text, problem) => {
    expect(folderViolations({ path, text }, given)).toEqual([expect.stringContaining(`${path} ${problem}`)])
  })

  it.each([
    ['src/bot/log/a.ts', "import { b } from '../text/b.ts'\nimport { c } from './deep/c.ts'"],
    ['src/bot/log/a.ts', "import { b } from '../../engine/b.ts'"],
    ['src/bot/venue/a.ts', "import { b } from '../bot.ts'"],
    ['src/bot/bot.ts', "import { b } from './log/b.ts'"],
    ['src/engine/other/a.ts', "import { b } from '../b.ts'"],
  ])('accept %s: %s', (path, text) => {
    expect(folderViolations({ path, text }, given)).toEqual([])
  })

  it('find a permission that no file needs', () => {
    const files = [{ path: 'src/bot/venue/a.ts', text: "import { b } from '../bot.ts'" }]
    expect(idlePermissions(files, given)).toEqual(['src/bot/log may import text, but does not.'])
  })

  it('find folders that import each other in a circle', () => {
    const round = [...given.slice(0, 1), { path: 'src/bot/text', imports: ['venue'] }]
    expect(circularFolders([...round, { path: 'src/bot/venue', imports: ['log'] }])).toHaveLength(3)
  })
})

describe('violationsOf', () => {
  it.each([
    [
      'src/risk/a.ts',
      "import { a } from '../exchange/a.ts'",
      'imports src/exchange/a.ts, which src/risk may not',
    ],
    ['src/risk/checks/a.ts', "import { a } from '../../engine/a.ts'", 'imports src/engine/a.ts'],
    ['src/risk/a.ts', "import type {\n  A,\n} from '../engine/a.ts'", 'imports src/engine/a.ts'],
    ['src/domain/a.ts', "export { a } from '../ledger/a.ts'\nexport const b = 1", 'imports src/ledger/a.ts'],
    ['src/domain/a.ts', "import '../ledger/a.ts'", 'imports src/ledger/a.ts'],
    ['src/strategy/a.ts', "const a = import('../bot/a.ts')", 'imports src/bot/a.ts'],
    ['src/execution/a.ts', "import { a } from '../market/a.ts'", 'imports src/market/a.ts'],
    [
      'src/simulator/a.ts',
      "import { a } from '../exchange/http/signing.ts'",
      'imports src/exchange/http/signing.ts',
    ],
    ['src/bot/a.ts', "import { a } from '../../backtest/a.ts'", 'imports backtest/a.ts'],
    ['strategies/a.ts', "import { a } from '../src/engine/a.ts'", 'imports src/engine/a.ts'],
    [
      'src/engine/a.ts',
      "import { Subject } from 'rxjs'",
      'imports the package rxjs, which src/engine may not',
    ],
    ['src/ledger/a.ts', "import { readFileSync } from 'node:fs'", 'imports the package node:fs'],
    ['src/streams/a.ts', 'setTimeout(tick, 1)', 'uses setTimeout'],
    ['src/ledger/a.ts', 'const now = Date.now()', 'uses Date, but its room is pure'],
    ['src/ledger/a.ts', `const now = \`it is $\{new Date()}\``, 'uses Date'],
    ['src/engine/a.ts', 'const chance = Math.random()', 'uses Math.random'],
    ['src/engine/a.ts', 'console.log(1)', 'uses console'],
    ['src/engine/a.ts', 'export async function a() {}', 'uses async'],
    ['src/engine/a.ts', 'setTimeout(tick, 1)', 'uses setTimeout'],
    ['strategies/a.ts', 'const key = process.env.KEY', 'uses process'],
    ['src/bot/a.ts', 'export default 1', 'has a default export'],
    ['src/bot/a.ts', 'const a = 1\nexport { a as default }', 'has a default export'],
    ['src/bot/utils.ts', '', 'is called "utils.ts"'],
    ['src/bot/helpers/a.ts', '', 'is called "helpers"'],
    ['test/bot/common.test.ts', '', 'is called "common.test.ts"'],
    ['src/bot/index.ts', '', 'is a barrel'],
    ['src/bot/a.ts', "export * from './b.ts'", 'is a barrel'],
    ['src/bot/a.ts', "export { b } from './b.ts'\nexport type { C } from './c.ts'\n", 'is a barrel'],
    ['src/other/a.ts', '', 'lies in no room'],
  ])('finds what is wrong with %s: %s', (path, text, problem) => {
    expect(violationsOf({ path, text }, rooms)).toEqual([expect.stringContaining(`${path} ${problem}`)])
  })

  it.each([
    ['src/risk/a.ts', "import { a } from '../ledger/a.ts'\nimport { b } from './b.ts'"],
    [
      'src/simulator/a.ts',
      "import { a } from '../exchange/endpoints.ts'\nimport b from '../exchange/endpoints/b.ts'",
    ],
    ['src/strategy/index.ts', "export { a } from './a.ts'"],
    ['src/streams/a.ts', "import { map } from 'rxjs'"],
    ['strategies/a.ts', "import { map } from 'rxjs'"],
    [
      'strategies/a.ts',
      "import { defineStrategy } from '../src/strategy/index.ts'\nexport default defineStrategy({})",
    ],
    ['src/engine/a.ts', "// Date and await\nconst a = 'no console' /* Math.random() */\nconst b = `async`"],
    ['src/domain/a.ts', "import { Decimal } from 'decimal.js'\nconst updated = candidate"],
    ['src/engine/a.ts', 'export function process() {}\nengine.process.call(engine)'],
    ['src/bot/a.ts', "import { interval } from 'rxjs'\nconst now = Date.now()"],
    ['src/main.ts', "import { run } from './cli/run.ts'"],
  ])('accepts %s: %s', (path, text) => {
    expect(violationsOf({ path, text }, rooms)).toEqual([])
  })
})

describe('homonymsIn', () => {
  it('finds a name that two files export, and names both', () => {
    const sources = [
      { path: 'src/a.ts', text: 'export interface Venue {}\nexport const other = 1' },
      { path: 'backtest/b.ts', text: "import { other } from './a.ts'\nexport class Venue {}" },
    ]
    expect(homonymsIn(sources)).toEqual(['src/a.ts and backtest/b.ts export different things as Venue.'])
  })

  it.each([
    ['overloads', ['export function a(b: string): void\nexport function a(b: number): void', '']],
    ['a name of its own file', ['const a = 1', 'export const a = 2']],
    ['a name in a comment', ['/*\nexport const a = 1\n*/', 'export const a = 2']],
    ['a name that is exported again', ['export const a = 1', "export { a } from './0.ts'"]],
  ])('allows %s', (_, texts) => {
    expect(homonymsIn(texts.map((text, index) => ({ path: `src/${index}.ts`, text })))).toEqual([])
  })

  it('finds none in the sources', () => {
    expect(homonymsIn(sources.filter(({ path }) => /^(?:src|backtest)\//.test(path)))).toEqual([])
  })
})
