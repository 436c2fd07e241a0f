import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { waveCsv } from '../klines.ts'
import { fileWith } from '../sluice-process.ts'
import { sluiceHere } from './in-process.ts'

const KLINES = 400

/** Runs a backtest on a wave; returns how it ended, and the folder of its data. */
async function run(more: (folder: string) => readonly string[]) {
  const data = fileWith('wave.csv', waveCsv(KLINES))
  const folder = dirname(data)
  const market = ['--data', data, '--symbol', 'BTC/USDT', '--interval', '1h']
  return { folder, ...(await sluiceHere('backtest', 'strategies/sma-cross.ts', ...market, ...more(folder))) }
}

describe('the backtest command', () => {
  it('writes CSV files into a folder that it makes, and prints the table all the same', async () => {
    const { exitCode, out, err, folder } = await run(at => ['--csv', join(at, 'new/lists')])
    expect([exitCode, err]).toEqual([0, ''])
    expect(out).toMatch(/^sma-cross on BTC\/USDT 1h\n/)
    const names = readdirSync(join(folder, 'new/lists')).sort()
    expect(names).toEqual(['ambiguity.csv', 'equity.csv', 'fills.csv', 'round-trips.csv'])
    const [ambiguity, equity, fills, roundTrips] = names.map(name =>
      readFileSync(join(folder, 'new/lists', name), 'utf8'),
    )
    expect(ambiguity).toMatch(
      /^path,ambiguousRoundTrips,roundTrips,ambiguousOpenPositions\npessimistic,\d+,\d+,\d+\n$/,
    )
    expect(equity?.split('\n')).toHaveLength(KLINES + 2)
    expect(fills?.split('\n').length).toBeGreaterThan(roundTrips?.split('\n').length ?? 0)
  })

  it('writes a page beside JSON', async () => {
    const { exitCode, out, err, folder } = await run(at => ['--html', join(at, 'report.html'), '--json', '-'])
    expect([exitCode, err]).toEqual([0, ''])
    expect(JSON.parse(out).manifest.klines).toBe(KLINES)
    const page = readFileSync(join(folder, 'report.html'), 'utf8')
    expect([page.slice(0, 15), page.includes('<h1>sma-cross on BTC/USDT 1h</h1>')]).toEqual([
      '<!doctype html>',
      true,
    ])
  })

  it.each([
    ['--html', 'wave.csv/report.html', /wave\.csv\/report\.html cannot be written \(/],
    [
      '--csv',
      'wave.csv/lists',
      /The folder \S+wave\.csv\/lists cannot be made; give one that can be written to\./,
    ],
  ])('refuses %s where it cannot write, with exit code 2', async (option, path, sentence) => {
    const { exitCode, out, err } = await run(folder => [option, join(folder, path)])
    expect([exitCode, out]).toEqual([2, ''])
    expect(err).toMatch(sentence)
  })
})
