import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { KlineStore } from '../../../src/klines/store/kline-store.ts'
import { BTC, klinesOf, MINUTE, minutes, scratchFolder } from '../../klines/store/scratch-store.ts'
import { hasShared, sharedPath } from '../../shared-data.ts'
import { sluiceHere } from '../backtest/in-process.ts'
import { fileWith, sluice } from '../sluice-process.ts'

const START = Date.UTC(2018, 0, 31, 23, 58)
const GOOD = 'idx,open,high,low,close,vol\n1514764800000,10,12,9,11,3.5\n1514764860000,11,12,9,10,1\n'
/** One of everything: lines 3 to 8. */
const BAD = `idx,open,high,low,close,vol
1514764800000,10,12,9,11,3.5
1514764800000,10,12,9,11,3.5
abc,1,1,1,1,1
1514764740000,10,9,11,11,3.5
1514764920000,10,12,9,11,0
1514764950000,10,12,9,11,1
1514764980000,10,12,9
`

async function storeOf(openTimes: readonly number[]): Promise<string> {
  const folder = scratchFolder()
  using writer = await new KlineStore(folder).klines(BTC).openWriter()
  writer.merge(klinesOf(openTimes), 'test')
  return folder
}

describe('klines check', () => {
  it('ends with 0 where nothing is found', async () => {
    const file = fileWith('k.csv', GOOD)
    const { exitCode, out } = await sluiceHere('klines', 'check', '--data', file, '--interval', '1m')
    expect(exitCode).toBe(0)
    expect(out).toBe(
      `${file}: 2 klines of 1m from 2018-01-01T00:00:00.000Z to 2018-01-01T00:01:00.000Z. Clean.\n`,
    )
  })

  it('reads a broken file to its end, finds everything, and ends with 1', async () => {
    const file = fileWith('k.csv', BAD)
    const { exitCode, out } = await sluiceHere(
      'klines',
      'check',
      '--data',
      file,
      '--interval',
      '1m',
      '--json',
    )
    expect(exitCode).toBe(1)
    const { clean, checked } = JSON.parse(out)
    const { findings, warnings, missing } = checked[0]
    const placesOf = (found: readonly { place: string }[]) => found.map(({ place }) => place)
    expect([clean, checked[0].clean, checked[0].rows, missing]).toEqual([false, false, 5, 1])
    expect(placesOf(findings.unreadable)).toEqual(['Line 4', 'Line 8'])
    expect(placesOf(findings.duplicates)).toEqual(['Line 3'])
    expect(placesOf(findings.disorder)).toEqual(['Line 5'])
    expect(placesOf(findings.insane)).toEqual(['Line 5'])
    expect(placesOf(findings.misaligned)).toEqual(['Line 7'])
    expect(placesOf(warnings.zeroVolume)).toEqual(['Line 6'])
    expect(findings.gaps).toEqual([{ from: 1514764860000, to: 1514764920000, missing: 1 }])
  })

  it('shows examples, and what explains many findings', async () => {
    const broken = await sluiceHere('klines', 'check', '--data', fileWith('k.csv', BAD), '--interval', '1m')
    expect(broken.out).toContain('Line 4 has "abc" as its open time; expected a whole number of milliseconds')
    expect(broken.out).toContain(
      'Line 3 (2018-01-01T00:00:00.000Z) opens when line 2 does, with the same values',
    )
    expect(broken.out).not.toContain('(outliers)')
    expect(broken.out).toContain('1 of them from 2018-01-01T00:01:00.000Z')
    const hours = [0, 1, 2].map(hour => `${1514764800000 + hour * 3_600_000},10,12,9,11,1`).join('\n')
    const { exitCode, out } = await sluiceHere(
      'klines',
      'check',
      '--data',
      fileWith('h.csv', hours),
      '--interval',
      '1m',
    )
    expect(out).toContain('All open times fit the interval 1h; check with --interval 1h.')
    expect(exitCode).toBe(1)
  })

  it('checks the store: all of it, or what is asked for', async () => {
    const store = await storeOf([...minutes(START, 3), START + 4 * MINUTE])
    const { exitCode, out } = await sluiceHere('klines', 'check', '--store', store)
    expect(exitCode).toBe(1)
    expect(out).toContain('BTC/USDT 1m of here: 4 klines of 1m from 2018-01-31T23:58:00.000Z')
    expect(out).toContain('1 of them from 2018-02-01T00:01:00.000Z')
    expect(
      (await sluiceHere('klines', 'check', '--store', store, '--symbol', 'BTC/USDT', '--venue', 'here'))
        .exitCode,
    ).toBe(1)
    expect(await sluiceHere('klines', 'check', '--store', store, '--interval', '1h')).toEqual({
      exitCode: 2,
      out: '',
      err: `The store ${store} has no such klines to check.\n`,
    })
  })

  it('names a damaged file of the store, and checks the others', async () => {
    const store = await storeOf(minutes(START, 4))
    const folder = join(store, 'here/BTC-USDT/1m')
    const [january = ''] = readdirSync(folder).filter(name => name.endsWith('.arrow'))
    const bytes = readFileSync(join(folder, january))
    bytes[bytes.length >> 1] = 255 - (bytes[bytes.length >> 1] ?? 0)
    writeFileSync(join(folder, january), bytes)
    const { exitCode, out } = await sluiceHere('klines', 'check', '--store', store, '--json')
    expect(exitCode).toBe(1)
    const { checked } = JSON.parse(out)
    expect(checked).toMatchObject([{ name: 'BTC/USDT 1m of here', clean: false, rows: 2 }])
    expect(checked[0].damage).toEqual([expect.stringContaining(join(folder, january))])
  })

  it.each([
    [
      ['--data', 'k.csv'],
      'Files do not contain their interval; give it with --interval, such as --interval 1m.',
    ],
    [['--data', 'none.csv', '--interval', '1m'], 'The kline file none.csv does not exist;'],
    [['--interval', '2m'], '"2m" is not an interval; use one of 1m, 3m'],
  ])('refuses %j with exit code 2', async (args, sentence) => {
    const { exitCode, err } = await sluiceHere('klines', 'check', ...args)
    expect(exitCode).toBe(2)
    expect(err).toContain(sentence)
  })

  it.skipIf(!hasShared('data', 'freqtrade-unittestbtc-1m.csv.gz'))('is a command', async () => {
    const file = sharedPath('data', 'freqtrade-unittestbtc-1m.csv.gz')
    const { exitCode, out, err } = await sluice(
      'klines',
      'check',
      '--data',
      file,
      '--interval',
      '1m',
      '--json',
    )
    expect([exitCode, err]).toEqual([1, ''])
    const { checked } = JSON.parse(out)
    expect([checked[0].findings.gaps.length, checked[0].missing]).toEqual([538, 717])
  })
})
