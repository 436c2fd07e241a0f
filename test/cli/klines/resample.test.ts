import { describe, expect, it } from 'vitest'
import { readKlineFile } from '../../../src/klines/formats/read-kline-file.ts'
import { klinesIn } from '../../../src/klines/kline-columns.ts'
import { KlineStore } from '../../../src/klines/store/kline-store.ts'
import { BTC, klinesOf, minutes, scratchFolder } from '../../klines/store/scratch-store.ts'
import { sluiceHere } from '../backtest/in-process.ts'
import { fileWith } from '../sluice-process.ts'

const START = Date.UTC(2018, 0, 1)
const MINUTE = 60_000
/** Twelve minutes, of which the eighth is absent. */
const CSV = Array.from({ length: 12 }, (_, minute) => `${START + minute * MINUTE},10,${12 + minute},9,11,1`)
  .filter((_, minute) => minute !== 7)
  .join('\n')
const FIVE = { openTime: START, open: 10, high: 16, low: 9, close: 11, volume: 5 }

describe('klines resample', () => {
  it('makes a file of a file, and says what it left out', async () => {
    const [file, out] = [fileWith('k.csv', CSV), fileWith('five.csv', '')]
    expect(
      await sluiceHere(
        'klines',
        'resample',
        '--data',
        file,
        '--interval',
        '1m',
        '--into',
        '5m',
        '--out',
        out,
      ),
    ).toEqual({
      exitCode: 0,
      err: '',
      out: `5m: 1 kline from 2018-01-01T00:00:00.000Z to 2018-01-01T00:00:00.000Z, no gaps; 1 lacked 1 of their klines of 1m, and were left out (--incomplete keep takes what there is): in ${out}.\n`,
    })
    expect(klinesIn((await readKlineFile(out)).columns)).toEqual([FIVE])
  })

  it('keeps what lacks a kline where it is asked to', async () => {
    const [file, out] = [fileWith('k.csv', CSV), fileWith('five.csv', '')]
    const args = ['--data', file, '--interval', '1m', '--into', '5m', '--out', out, '--incomplete', 'keep']
    expect((await sluiceHere('klines', 'resample', ...args)).out).toContain(
      '1 lacked 1 of their klines of 1m, and were made of those',
    )
    expect(klinesIn((await readKlineFile(out)).columns)).toEqual([
      FIVE,
      { ...FIVE, openTime: START + 5 * MINUTE, high: 21, volume: 4 },
    ])
  })

  it('stores several intervals beside the klines of the store', async () => {
    const store = scratchFolder()
    {
      using writer = await new KlineStore(store).klines(BTC).openWriter()
      writer.merge(klinesOf(minutes(START, 240)), 'test')
    }
    const args = ['--symbol', 'BTC/USDT', '--interval', '1m', '--into', '1h', '4h', '--store', store]
    const { exitCode, out } = await sluiceHere('klines', 'resample', ...args)
    expect(exitCode).toBe(0)
    expect(out.split('\n')).toEqual([
      '1h: 4 klines from 2018-01-01T00:00:00.000Z to 2018-01-01T03:00:00.000Z, no gaps: 4 new.',
      '4h: 1 kline from 2018-01-01T00:00:00.000Z to 2018-01-01T00:00:00.000Z, no gaps: 1 new.',
      '',
    ])
    expect(new KlineStore(store).klines({ ...BTC, interval: '4h' }).read().length).toBe(1)
    expect((await sluiceHere('klines', 'resample', ...args)).out).toContain(': 4 stored already.')
  })

  it('stores what it makes of a file, of a span, and says so as JSON', async () => {
    const [store, file] = [scratchFolder(), fileWith('k.csv', CSV)]
    const where = ['--venue', 'here', '--symbol', 'BTC/USDT', '--store', store]
    const span = ['--from', '2018-01-01', '--to', '2018-01-01T00:07']
    const { out } = await sluiceHere(
      'klines',
      'resample',
      '--data',
      file,
      '--interval',
      '1m',
      '--into',
      '5m',
      ...where,
      ...span,
      '--json',
    )
    expect(JSON.parse(out)).toEqual({
      ...{ interval: '5m', klines: 1, first: START, last: START, gaps: 0, absent: 0 },
      ...{ complete: 1, incomplete: 0, missing: 0 },
    })
    expect(klinesIn(new KlineStore(store).klines({ ...BTC, interval: '5m' }).read())).toEqual([FIVE])
  })

  it.each([
    [['--into', '5m'], 'Say symbol of the stored klines with --symbol, or give a file with --data.'],
    [
      ['--into', '5m', '--data', 'k.csv'],
      'Name the target of the klines: a file with --out, or --venue and --symbol of the store.',
    ],
    [
      ['--into', '5m', '1h', '--data', 'k.csv', '--out', 'a.csv'],
      'a.csv takes klines of one interval; give one after --into.',
    ],
    [['--into', '5m', '--data', 'k.csv', '--out', 'a.txt'], 'a.txt has no known file extension; use .csv,'],
    [['--into', '7m', '--data', 'k.csv', '--out', 'a.csv'], '"7m" is not an interval;'],
  ])('refuses %j with exit code 2', async (args, sentence) => {
    const { exitCode, err } = await sluiceHere('klines', 'resample', '--interval', '1m', ...args)
    expect(exitCode).toBe(2)
    expect(err).toContain(sentence)
  })
})
