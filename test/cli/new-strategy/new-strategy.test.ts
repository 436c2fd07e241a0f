import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { copyOfProject, runIn } from '../../project-copy.ts'

const sluiceIn = (folder: string, ...args: readonly string[]) =>
  runIn(folder, process.execPath, 'src/main.js', ...args)

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
