import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waveCsv } from '../klines.ts'
import { ROOT, sluice } from '../sluice-process.ts'
import { sluiceHere } from './in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-verify-'))
afterAll(() => rmSync(folder, { recursive: true }))
const [data, config, result] = ['wave.csv', 'mine.yaml', 'result.json'].map(name => join(folder, name)) as [
  string,
  string,
  string,
]
const verify = (path: string) => sluiceHere('backtest', '--verify', path)

/** A copy of the result in which one text is another. */
function changedResult(from: string, to: string): string {
  const path = join(folder, 'changed.json')
  writeFileSync(path, readFileSync(result, 'utf8').replace(from, to))
  return path
}

beforeAll(async () => {
  writeFileSync(data, waveCsv(400, [7]))
  writeFileSync(config, 'account: { type: margin }\nfills: { slippageRate: 0.001 }\n')
  const run = ['strategies/sma-cross.ts', '--param', 'fast=5', '--param', 'slow=10', '--seed', '4']
  const of = [
    '--data',
    data,
    '--symbol',
    'BTC/USDT',
    '--interval',
    '1h',
    '--gaps',
    'skip',
    '--to',
    '2024-01-15',
  ]
  const written = await sluiceHere('backtest', ...run, ...of, '--config', config, '--json', result)
  expect(written).toEqual({ exitCode: 0, out: '', err: '' })
})

describe('--verify', () => {
  it('finds the same bytes again, from nothing but the result', async () => {
    // The configuration is in the result: its file is not needed.
    rmSync(config)
    const { exitCode, out, err } = await verify(result)
    expect([exitCode, err]).toEqual([0, ''])
    expect(out).toMatch(
      /^\S+result\.json is verified: the same run gives the same bytes\.\n( {2}equal {4}\S+\n)+$/,
    )
  })

  it('names no folder of this machine in a result', () => {
    const { manifest } = JSON.parse(readFileSync(result, 'utf8'))
    expect(manifest.inputs.strategy).toBe('strategies/sma-cross.ts')
    expect(JSON.stringify(manifest)).not.toContain(`"${folder}`)
    expect(manifest.node).toBe(process.version)
  })

  it('finds a figure that was changed by hand', async () => {
    const { exitCode, out } = await verify(changedResult('"startEquity":10000', '"startEquity":10001'))
    expect(exitCode).toBe(1)
    expect(out).toMatch(
      /changed\.json is not verified: the same inputs give another result, so the file was changed/,
    )
    expect(out).toContain('\n  differs  metrics.startEquity was 10001 and is 10000\n')
    expect(out).toContain('\n  equal    roundTrips\n')
  })

  it('finds code of another version, whose result is the same', async () => {
    const { exitCode, out } = await verify(changedResult('"version":"', '"version":"0.'))
    expect(exitCode).toBe(1)
    expect(out).toContain('its manifest is not that of the run now, though everything else is equal.')
    expect(out).toMatch(/\n {2}differs {2}manifest\.version was "0\.0\.1\.0" and is "0\.1\.0"\n/)
  })

  it('finds other bytes that say the same', async () => {
    const { exitCode, out } = await verify(changedResult('{"manifest":', '{ "manifest":'))
    expect(exitCode).toBe(1)
    expect(out).toContain('it has the same content in other bytes')
  })

  it('finds changed data, and data that is gone', async () => {
    const before = readFileSync(data, 'utf8')
    writeFileSync(data, before.replace(',10\n', ',11\n'))
    const changed = await verify(result)
    expect(changed.exitCode).toBe(1)
    expect(changed.out).toMatch(
      /\n {2}differs {2}manifest\.data\[0\]\.sha256 was "[0-9a-f]{64}" and is "[0-9a-f]{64}"\n/,
    )
    rmSync(data)
    expect(await verify(result)).toMatchObject({
      exitCode: 2,
      out: '',
      err: expect.stringContaining('wave.csv does not exist'),
    })
    writeFileSync(data, before)
  })

  it('finds a changed file that the strategy imports', async () => {
    const index = pathToFileURL(join(ROOT, 'src/strategy/index.ts')).href
    writeFileSync(join(folder, 'limit.ts'), 'export const LIMIT = 105\n')
    writeFileSync(
      join(folder, 'mine.ts'),
      `import { defineStrategy, enterLong, exit } from '${index}'
import { LIMIT } from './limit.ts'
export default defineStrategy({ name: 'mine', onKline: ({ close }) => (close > LIMIT ? enterLong() : exit()) })
`,
    )
    const mine = join(folder, 'mine.json')
    const of = ['--data', data, '--symbol', 'BTC/USDT', '--interval', '1h', '--gaps', 'fill', '--json', mine]
    expect((await sluice('backtest', join(folder, 'mine.ts'), ...of)).exitCode).toBe(0)
    expect(JSON.parse(readFileSync(mine, 'utf8')).manifest.imports.files).toEqual(['limit.ts'])
    writeFileSync(join(folder, 'limit.ts'), 'export const LIMIT = 104\n')
    const { exitCode, out } = await sluice('backtest', '--verify', mine)
    expect(exitCode).toBe(1)
    expect(out).toContain('its inputs have changed, and so has the result.')
    expect(out).toContain('\n  differs  manifest.code was ')
    expect(out).toMatch(/\n {2}differs {2}roundTrips/)
  })

  it.each([
    ['no JSON', 'wave', 'is not JSON; give a file that --json wrote.'],
    ['no result', '{}', 'does not say how it was made: manifest is missing'],
  ])('refuses a file that is %s', async (_, text, sentence) => {
    const path = join(folder, 'other.json')
    writeFileSync(path, text)
    expect(await verify(path)).toEqual({ exitCode: 2, out: '', err: expect.stringContaining(sentence) })
  })
})
