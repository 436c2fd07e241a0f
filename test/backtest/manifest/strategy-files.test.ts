import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { importsIn } from '../../../backtest/manifest/import-scan.ts'
import { strategyFiles } from '../../../backtest/manifest/strategy-files.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'sluice-imports-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('importsIn', () => {
  it.each([
    ["import a from './a.ts'", './a.ts'],
    ["import a, { b, type C } from './a.ts'", './a.ts'],
    ["import {\n  a,\n  b,\n} from './a.ts'", './a.ts'],
    ["import * as a from './a.ts'", './a.ts'],
    ["import './a.ts'", './a.ts'],
    ["export { a } from './a.ts'", './a.ts'],
    ["export * from './a.ts'", './a.ts'],
    ['import a from "./a.ts"', './a.ts'],
    ["import a from './a.json' with { type: 'json' }", './a.json'],
    ["const a = await import('./a.ts')", './a.ts'],
    ["const a = await import('./a.json', { with: { type: 'json' } })", './a.json'],
    ['const a = await import(`./a.ts`)', './a.ts'],
    ["const a = require('./a.cjs')", './a.cjs'],
    ["const fs = process.getBuiltinModule('node:fs')", 'node:fs'],
    ["const url = 'http://x' // no comment begins before this\nimport a from './a.ts'", './a.ts'],
  ])('sees %j', (source, specifier) => {
    expect(importsIn(source)).toEqual({ specifiers: [specifier], computed: [] })
  })

  it.each([
    "// import a from './a.ts'",
    "/* import a from './a.ts' */",
    "import type { A } from './a.ts'",
    "export type { A } from './a.ts'",
    'export const from = 1',
    'const important = 1',
  ])('sees nothing in %j', source => {
    expect(importsIn(source)).toEqual({ specifiers: [], computed: [] })
  })

  it.each([
    ['await import(name)', 'import(name)'],
    // The text of a template.
    ['await import(`./$' + '{name}.ts`)', 'import(`./$' + '{name}.ts`)'],
    ["require('./' + name)", "require('./' + name)"],
  ])('names %j, which is only known when it runs', (source, text) => {
    expect(importsIn(source)).toEqual({ specifiers: [], computed: [text] })
  })
})

describe('strategyFiles', () => {
  it('follows imports, also in circles, and names what it cannot follow', () => {
    mkdirSync(join(folder, 'lib'))
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
    write(
      's.ts',
      `import './lib/a.ts'
import '${ROOT}/src/strategy/index.ts'
import { SMA } from 'trading-signals'
import 'no-such-package-at-all'
import './gone.ts'
import data from './levels.json' with { type: 'json' }
await import(name)
`,
    )
    write('lib/a.ts', "import './b.ts'\nimport '../s.ts'\nimport { readFileSync } from 'node:fs'")
    write('lib/b.ts', '')
    write('levels.json', '[1]')
    const { files, packages, unresolved, outside } = strategyFiles(join(folder, 's.ts'), ROOT)
    expect(files.map(({ name }) => name)).toEqual(['levels.json', 'lib/a.ts', 'lib/b.ts', 's.ts'])
    expect(packages).toEqual([])
    expect(unresolved).toEqual([
      './gone.ts in s.ts',
      'import(name) in s.ts',
      'no-such-package-at-all in s.ts',
      'trading-signals in s.ts',
    ])
    expect(outside).toEqual(['levels.json', 'node:fs'])
  })

  it('names what it imports of Sluice that is not for strategies: readers of files, what plays a backtest', () => {
    const own = ['src/klines/formats/read-kline-file.ts', 'backtest/run/replay.ts']
    const open = [
      'src/strategy/index.ts',
      'src/streams/index.ts',
      'src/indicators/sma.ts',
      'src/domain/market-data/kline.ts',
    ]
    const imports = [...own, ...open].map(path => `import '${ROOT}/${path}'\n`)
    writeFileSync(join(folder, 'deep.ts'), imports.join(''))
    expect(strategyFiles(join(folder, 'deep.ts'), ROOT).outside).toEqual([...own].sort())
  })

  it('names packages with their versions', () => {
    const file = join(ROOT, 'test/backtest/validation/cut-points.test.ts')
    expect(strategyFiles(file, ROOT).packages).toEqual([expect.stringMatching(/^vitest \d+\.\d+\.\d+$/)])
  })
})
