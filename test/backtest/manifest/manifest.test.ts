import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { canonicalJson } from '../../../backtest/manifest/canonical-json.ts'
import { codeHash } from '../../../backtest/manifest/code-hash.ts'
import { manifestOf } from '../../../backtest/manifest/manifest.ts'
import { strategyFiles } from '../../../backtest/manifest/strategy-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-manifest-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A project of these files in a folder of its own. */
function project(name: string, files: Record<string, string>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, path, '..'), { recursive: true })
    writeFileSync(join(folder, name, path), text)
  }
  return join(folder, name)
}

const FILES = {
  'src/b.ts': 'b',
  'src/a/a.ts': 'a',
  'backtest/c.ts': 'c',
  'strategies/s.ts': 's',
  'test/t.ts': 't',
}
const hashOf = (name: string, files: Record<string, string>) => {
  const [root, strategy] = [project(name, files), join(folder, name, 'strategies/s.ts')]
  return codeHash(root, strategy, strategyFiles(strategy, root))
}

describe('codeHash', () => {
  it('is the hash of the sorted files with their names and lengths', () => {
    const expected = createHash('sha256')
      .update('backtest/c.ts\0' + '1\0c')
      .update('src/a/a.ts\0' + '1\0a')
      .update('src/b.ts\0' + '1\0b')
      .update('strategy s.ts\0' + '1\0s')
      .digest('hex')
    expect(hashOf('one', FILES)).toBe(expected)
  })

  it('is the same in another folder, whatever the tests are', () => {
    expect(hashOf('two', { ...FILES, 'test/t.ts': 'other' })).toBe(hashOf('one', FILES))
  })

  it.each(['src/a/a.ts', 'backtest/c.ts', 'strategies/s.ts', 'src/new.ts'])('changes with %s', path => {
    expect(hashOf(`changed-${path}`, { ...FILES, [path]: 'changed' })).not.toBe(hashOf('one', FILES))
  })

  it('changes with the version of a package that the strategy imports', () => {
    const [root, strategy] = [project('packages', FILES), join(folder, 'packages', 'strategies/s.ts')]
    const hashWith = (...packages: string[]) => codeHash(root, strategy, { files: [], packages })
    expect(hashWith('a 1.0.0')).not.toBe(hashWith('a 1.0.1'))
    expect(hashWith('a 1.0.0')).not.toBe(hashWith())
  })

  it('changes with a file that the strategy imports by way of another, and not with one beside it', () => {
    const files = {
      ...FILES,
      'strategies/s.ts': "import './lib/rules.ts'",
      'strategies/lib/rules.ts': "export { LIMIT } from '../limit.ts'",
      'strategies/limit.ts': 'export const LIMIT = 1',
      'strategies/other.ts': '1',
    }
    const hash = hashOf('imports', files)
    expect(hashOf('imports-2', { ...files, 'strategies/limit.ts': 'export const LIMIT = 2' })).not.toBe(hash)
    expect(hashOf('imports-3', { ...files, 'strategies/other.ts': '2' })).toBe(hash)
  })
})

describe('canonicalJson', () => {
  it('does not depend on the order of keys', () => {
    expect(canonicalJson({ b: [{ z: 1, y: 2 }], a: new Map([['k', 5n]]), gone: undefined })).toBe(
      '{"a":{"k":"5"},"b":[{"y":2,"z":1}]}',
    )
  })
})

describe('manifestOf', () => {
  const input = () => ({
    root: project('manifest', FILES),
    strategyFile: join(folder, 'manifest', 'strategies/s.ts'),
    version: '0.1.0',
    node: 'v26.10.0',
    config: { b: 1n, a: 2 },
    data: [{ path: join(folder, 'klines.csv.gz'), sha256: 'ab', klines: 3 }],
    seed: 7,
    symbol: 'BTC/USDT',
    interval: '1m' as const,
    from: 0,
    to: 180_000,
    klines: 3,
    gaps: { policy: 'skip' as const, count: 1, missing: 2 },
    parameters: { slow: 20, fast: 5 },
    inputs: {
      strategy: 'strategies/../strategies/s.ts',
      data: { file: join(process.cwd(), 'data/klines.csv.gz') },
      from: 0,
      config: { size: { quote: 5 } },
    },
  })

  it('tells all a result follows from, and no folder', () => {
    const manifest = manifestOf(input())
    expect(JSON.stringify(manifest)).toBe(
      JSON.stringify({
        version: '0.1.0',
        node: 'v26.10.0',
        code: hashOf('one', FILES),
        imports: { files: [], packages: [], unresolved: [] },
        config: createHash('sha256').update('{"a":2,"b":"1"}').digest('hex'),
        data: [{ file: 'klines.csv.gz', sha256: 'ab', klines: 3 }],
        seed: 7,
        symbol: 'BTC/USDT',
        interval: '1m',
        from: 0,
        to: 180_000,
        klines: 3,
        gaps: { policy: 'skip', count: 1, missing: 2 },
        parameters: { fast: 5, slow: 20 },
        inputs: {
          strategy: 'strategies/s.ts',
          data: { file: 'data/klines.csv.gz' },
          from: 0,
          config: { size: { quote: 5 } },
        },
      }),
    )
    expect(JSON.stringify(manifest)).not.toContain(folder)
  })
})
