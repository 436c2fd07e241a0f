import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { copyOfProject, runIn } from '../../project-copy.ts'
import { SHIPPED } from '../../shipped-files.ts'
import { sluice } from '../sluice-process.ts'

const sluiceIn = (folder: string, ...args: readonly string[]) =>
  runIn(folder, process.execPath, 'src/main.js', ...args)

/** The text of every file below these folders, by its path. */
function contentsOf(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map(entry => join(entry.parentPath, entry.name))
  return new Map(paths.map(path => [relative(folder, path), readFileSync(path, 'latin1')]))
}

describe('new-strategy, in a fresh copy of the project', () => {
  it('writes a strategy, a test and a configuration that compile, pass, run and are tidy at once', async () => {
    const folder = copyOfProject()
    const made = await sluiceIn(folder, 'new-strategy', 'rsi-dip')
    expect(made).toMatchObject({ exitCode: 0, err: '' })
    const files = ['strategies/rsi-dip.ts', 'test/strategies/rsi-dip.test.ts', 'config/rsi-dip.yaml'] as const
    expect(made.out).toContain(`Wrote ${files[0]}, ${files[1]} and ${files[2]}.`)
    expect(made.out).toContain('Made up a year of BTC/USDT in data/klines to run it on.')

    const tsconfig = { extends: './tsconfig.json', files: [files[0], files[1]], include: [] }
    writeFileSync(join(folder, 'tsconfig.new.json'), JSON.stringify(tsconfig))
    const bin = (name: string) => join(folder, 'node_modules/.bin', name)
    const [compiled, tidy, tested, backtest] = await Promise.all([
      runIn(folder, bin('tsc'), '-p', 'tsconfig.new.json'),
      runIn(folder, bin('biome'), 'check', ...files.slice(0, 2)),
      runIn(folder, bin('vitest'), 'run', files[1]),
      sluiceIn(folder, 'backtest', '--config', files[2], '--json', '-'),
    ])
    expect(compiled).toMatchObject({ exitCode: 0, out: '' })
    expect(tidy.exitCode).toBe(0)
    expect(tested).toMatchObject({ exitCode: 0, out: expect.stringContaining('2 passed') })
    expect(backtest).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(backtest.out).roundTrips.length).toBeGreaterThan(10)
  })

  it.each(['pairs', 'funding-carry'])('begins as the example %s, whose tests pass', async example => {
    const folder = copyOfProject({ whole: true })
    const made = await sluiceIn(folder, 'new-strategy', 'my-own', '--template', example)
    expect(made).toMatchObject({ exitCode: 0, err: '' })
    const vitest = join(folder, 'node_modules/.bin/vitest')
    const tested = await runIn(folder, vitest, 'run', 'test/strategies/my-own.test.ts')
    expect(tested).toMatchObject({ exitCode: 0, out: expect.stringContaining('my-own.test.ts') })
    const config = 'config/my-own.yaml'
    const ran = await (example === 'pairs'
      ? sluiceIn(folder, 'backtest', '--config', config, '--json', '-')
      : sluiceIn(folder, 'start', '--config', config, '--plan'))
    expect(ran).toMatchObject({ exitCode: 0, out: expect.stringMatching(/BTC/) })
  })

  it('changes no file that came with the project, and knows the new strategy in schemas of its own', async () => {
    const folder = copyOfProject({ whole: true })
    const before = contentsOf(folder)
    const made = await sluiceIn(folder, 'new-strategy', 'my-own', '--template', 'sma-cross')
    expect(made).toMatchObject({ exitCode: 0, err: '' })
    const after = contentsOf(folder)
    const added = [...after.keys()].filter(path => !before.has(path) && !path.startsWith('data/'))
    for (const [path, text] of before) expect(after.get(path), path).toBe(text)
    expect(added.sort()).toEqual([
      'config/my-own.yaml',
      'config/schema/own/backtest.json',
      'config/schema/own/bot.json',
      'config/schema/own/exchange.json',
      'config/schema/own/profile.json',
      'strategies/my-own.ts',
      'test/strategies/my-own.test.ts',
    ])
    expect(after.get('config/schema/own/backtest.json')).toContain('strategies/my-own.ts')
  })

  it('names the examples, all that come with the project', async () => {
    const { exitCode, out } = await sluice('new-strategy', '--list')
    expect(exitCode).toBe(0)
    expect(
      out
        .trim()
        .split('\n')
        .map(line => line.split(' ')[0]),
    ).toEqual([...SHIPPED])
    expect(await sluice('new-strategy', 'my-own', '--template', 'sma-cros')).toMatchObject({
      exitCode: 2,
      err: 'There is no template "sma-cros". Did you mean "sma-cross"?\n',
    })
  })

  it('leaves what exists, and refuses names that cannot be', async () => {
    const folder = copyOfProject()
    writeFileSync(join(folder, 'config/dip.yaml'), 'mine')
    const taken = await sluiceIn(folder, 'new-strategy', 'dip')
    expect(taken).toMatchObject({
      exitCode: 2,
      out: '',
      err: 'config/dip.yaml exists already, and nothing was written; take another name.\n',
    })
    expect(readFileSync(join(folder, 'config/dip.yaml'), 'utf8')).toBe('mine')
    expect(existsSync(join(folder, 'strategies/dip.ts'))).toBe(false)
    const misnamed = await sluiceIn(folder, 'new-strategy', 'MyDip')
    expect(misnamed).toMatchObject({ exitCode: 2, err: expect.stringContaining('Did you mean "my-dip"?') })
  })
})
