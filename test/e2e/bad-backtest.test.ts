import { describe, expect, it } from 'vitest'
import { sluiceHere } from '../cli/backtest/in-process.ts'
import { fileWith, strategyFile } from './sluice-process.ts'

const START = Date.UTC(2024, 0, 1)
const HOUR = 3_600_000
const KLINE = '100,101,99,100,1'

/** Hourly klines that do not move, but for what `changed` says of some rows. */
function csvOf(changed: Readonly<Record<number, string>> = {}): string {
  const rows = Array.from({ length: 60 }, (_, row) => changed[row] ?? rowAt(row, KLINE))
  return `idx,open,high,low,close,vol\n${rows.join('\n')}\n`
}

function rowAt(hour: number, values: string): string {
  return `${START + hour * HOUR},${values}`
}

interface Backtest {
  readonly csv?: string
  readonly strategy?: string
  readonly more?: readonly string[]
}

/** End of a command that cannot run a backtest; nothing is ever on its output. */
async function endOf({ csv = csvOf(), strategy = 'strategies/sma-cross.ts', more = [] }: Backtest) {
  const market = ['--data', fileWith('k.csv', csv), '--symbol', 'BTC/USDT', '--interval', '1h']
  const { exitCode, out, err } = await sluiceHere('backtest', strategy, ...market, ...more)
  expect(out).toBe('')
  expect(err).not.toContain('mistake in Sluice')
  return { exitCode, err }
}

describe('sluice backtest refuses, with exit code 2,', () => {
  it.each<[string, Backtest, RegExp]>([
    [
      'no data',
      { csv: '' },
      /^\S+k\.csv has no klines; expected rows of idx,open,high,low,close,vol, oldest first\.\n$/,
    ],
    [
      'unsorted data',
      { csv: csvOf({ 1: rowAt(-1, KLINE) }) },
      /^Line 3 of \S+k\.csv opens at 2023-12-31T23:00:00\.000Z, before the kline above it /,
    ],
    [
      'NaN',
      { csv: csvOf({ 1: rowAt(1, '100,NaN,99,100,1') }) },
      /^Line 3 of \S+k\.csv has "NaN" as its high; expected a price above 0\.\n$/,
    ],
    [
      'a negative price',
      { csv: csvOf({ 1: rowAt(1, '100,101,-99,100,1') }) },
      /^Line 3 of \S+k\.csv has "-99" as its low; expected a price above 0\.\n$/,
    ],
    [
      'a high below a low',
      { csv: csvOf({ 1: rowAt(1, '100,99,101,100,1') }) },
      /^Line 3 of \S+k\.csv has a high of 99 below its low of 101;/,
    ],
    [
      'klines of another interval',
      { more: ['--interval', '5m'] },
      /^\S+k\.csv: The klines are of the interval 1h, not 5m: /,
    ],
    [
      'a parameter out of bounds',
      { more: ['--param', 'fast=0'] },
      /^Parameter "fast" of strategy "sma-cross" is "0", but must be a whole number from 1 to 5000\.\n$/,
    ],
    [
      'a misspelt parameter',
      { more: ['--param', 'fsat=5'] },
      /^Strategy "sma-cross" has no parameter "fsat"\. Did you mean "fast"\?\n$/,
    ],
    [
      'a period without data',
      { more: ['--from', '2030-01-01'] },
      /^\S+k\.csv has no klines from 2030-01-01T00:00:00\.000Z; it has those from 2024-01-01T00:00:00\.000Z to 2024-01-03T11:00:00\.000Z\.\n$/,
    ],
    [
      'options that contradict each other',
      { more: ['--path', 'ohlc', '--detail', '1m'] },
      /^--path ohlc and --detail contradict each other: finer klines already show the path; leave one out\.\n$/,
    ],
  ])('%s', async (_, backtest, sentence) => {
    const { exitCode, err } = await endOf(backtest)
    expect(exitCode).toBe(2)
    expect(err).toMatch(sentence)
  })

  it('settings that contradict each other', async () => {
    const config = fileWith('c.yaml', 'account: { maxLeverage: 3 }\n')
    expect(await endOf({ more: ['--config', config] })).toEqual({
      exitCode: 2,
      err: `${config}:1:25: account.maxLeverage is 3, but a spot account cannot borrow: leave it at 1, or use type: margin.\n`,
    })
  })
})

describe('sluice backtest ends with exit code 1', () => {
  it('where a strategy throws, naming kline, handler and the line of the strategy', async () => {
    const strategy = strategyFile('fragile', "() => { throw new Error('No.') }")
    const { exitCode, err } = await endOf({ strategy })
    expect(exitCode).toBe(1)
    expect(err).toMatch(
      /^Strategy "fragile" on BTC\/USDT at 2024-01-01T01:00:00\.000Z threw in onKline: No\.\n {4}at \S+ \(\S+fragile\.ts:2:\d+\)\n$/,
    )
  })
})
