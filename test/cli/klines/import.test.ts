import { mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { klinesIn } from '../../../src/klines/kline-columns.ts'
import { KlineStore } from '../../../src/klines/store/kline-store.ts'
import { fileOf, fixture } from '../../klines/formats/data-files.ts'
import { zipOf } from '../../klines/formats/zip-of.ts'
import { scratchFolder } from '../../klines/store/scratch-store.ts'
import { sluiceHere } from '../backtest/in-process.ts'
import { fileWith } from '../sluice-process.ts'

const MINUTE = 60_000
/** The last minutes of a month. */
const START = Date.UTC(2018, 0, 31, 23, 57)
const MARKET = { venue: 'here', symbol: 'BTC/USDT' } as const
const WHERE = ['--venue', 'here', '--symbol', 'BTC/USDT'] as const

/** Klines at these minutes after the start. */
function csvOf(minutes: readonly number[], volume = 1): string {
  return `idx,open,high,low,close,vol\n${minutes.map(minute => `${START + minute * MINUTE},10,12,9,11,${volume}`).join('\n')}\n`
}

function importKlines(store: string, ...args: readonly string[]) {
  return sluiceHere('klines', 'import', ...args, ...WHERE, '--interval', '1m', '--store', store)
}

describe('klines import', () => {
  it('stores a file, and says what was read and what is absent', async () => {
    const [store, file] = [scratchFolder(), fileWith('a.csv', csvOf([0, 1, 3, 4]))]
    const folder = join(store, 'here/BTC-USDT/1m')
    expect(await importKlines(store, file)).toEqual({
      exitCode: 0,
      err: '',
      out: [
        `${file} (csv): 4 klines of 1m from 2018-01-31T23:57:00.000Z to 2018-02-01T00:01:00.000Z, 1 absent in 1 gap: 4 new.`,
        `BTC/USDT 1m of here in ${folder}: 4 rows from 2018-01-31T23:57:00.000Z to 2018-02-01T00:01:00.000Z, 1 absent in 1 gap.\n`,
      ].join('\n'),
    })
    const { openTime, volume } = new KlineStore(store).klines({ ...MARKET, interval: '1m' }).read()
    expect([...openTime]).toEqual([0, 1, 3, 4].map(minute => START + minute * MINUTE))
    expect([...volume]).toEqual([1, 1, 1, 1])
    expect(readdirSync(folder).filter(name => name.endsWith('.arrow'))).toEqual([
      '2018-01.arrow',
      '2018-02.arrow',
    ])
  })

  it('looks at no other series than the one that it fills', async () => {
    const [store, file] = [scratchFolder(), fileWith('a.csv', csvOf([0]))]
    await importKlines(store, file)
    const other = join(store, 'here/BTC-USDT/1h/2018-01.arrow')
    mkdirSync(dirname(other))
    // What cannot be read as a file would end the command.
    mkdirSync(other)
    expect(await importKlines(store, file)).toMatchObject({ exitCode: 0, err: '' })
  })

  it('changes nothing when it is repeated, and takes later files for better ones', async () => {
    const store = scratchFolder()
    const [first, second] = [fileWith('a.csv', csvOf([0, 1, 2])), fileWith('b.csv', csvOf([2, 3], 5))]
    expect((await importKlines(store, first, second)).out).toContain(': 1 new, 1 revised.\n')
    expect((await importKlines(store, second)).out).toContain(': 2 stored already.\n')
    const { volume } = new KlineStore(store).klines({ ...MARKET, interval: '1m' }).read()
    expect([...volume]).toEqual([1, 1, 5, 5])
  })

  it('takes patterns of files in every format, and no checksums', async () => {
    const store = scratchFolder()
    const row = `${START}000,10,12,9,11,1,0,0,0,0,0,0\n`
    const zip = fileOf(zipOf({ 'BTCUSDT-1m-2018-01.csv': row }), 'BTCUSDT-1m-2018-01.zip')
    const folder = dirname(zip)
    expect((await importKlines(store, join(folder, '*.zip'))).out).toContain(
      `${zip} (binance): 1 kline of 1m from`,
    )
    expect((await importKlines(store, fixture('freqtrade.feather'))).out).toContain('(arrow): 3 klines of 1m')
    expect((await importKlines(store, fixture('duckdb-zstd.parquet'))).out).toContain('3 stored already.')
    const checksum = fileWith('k.zip.CHECKSUM', 'abc')
    expect(await importKlines(store, checksum)).toMatchObject({
      exitCode: 2,
      err: 'There is no file to import but checksums; give the files themselves.\n',
    })
  })

  it('writes JSON lines: what is stored as soon as it is, each file, and the series', async () => {
    const [store, file] = [scratchFolder(), fileWith('a.csv', csvOf([0, 1, 2, 3]))]
    const { out } = await importKlines(store, file, '--json')
    const span = { first: START, last: START + 3 * MINUTE }
    expect(
      out
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line)),
    ).toEqual([
      { storedUntil: START + 2 * MINUTE },
      { storedUntil: START + 3 * MINUTE },
      {
        ...{ path: file, rows: 4, ...span, format: 'csv', gaps: { count: 0, missing: 0 } },
        ...{ added: 4, revised: 0, unchanged: 0 },
      },
      expect.objectContaining({ ...MARKET, series: '1m', rows: 4, ...span, gaps: 0, missing: 0 }),
    ])
  })

  it('stores funding rates and trades', async () => {
    const store = scratchFolder()
    const where = ['--venue', 'here', '--symbol', 'E-BTC-USDT', '--store', store]
    const funding = fileWith('f.csv', 'ts,rate\n1577836800000,-0.00012359\n1577865600000,0.0001\n')
    const trades = fileWith(
      't.csv',
      'local_ns,exch_ms,trade_id,price,qty,buyer_is_maker\n1,1723161256322,5,61800.3,0.006,0\n1,1723161256322,6,61800.2,1,1\n',
    )
    expect((await sluiceHere('klines', 'import', funding, '--type', 'funding', ...where)).out).toContain(
      `${funding}: 2 funding rates from 2020-01-01T00:00:00.000Z to 2020-01-01T08:00:00.000Z: 2 new.\n`,
    )
    expect((await sluiceHere('klines', 'import', trades, '--type', 'trades', ...where)).out).toContain(
      `${trades}: 2 trades from`,
    )
    const contract = { venue: 'here', symbol: 'E-BTC-USDT' }
    expect([...new KlineStore(store).funding(contract).read().rate]).toEqual([-0.00012359, 0.0001])
    expect([...new KlineStore(store).trades(contract).read().side]).toEqual([1, -1])
  })

  it('stores nothing of a file that is wrong, and keeps the files before it', async () => {
    const store = scratchFolder()
    const [good, bad] = [
      fileWith('a.csv', csvOf([0, 1])),
      fileWith('b.csv', csvOf([2, 3]).replace('12,9', '8,9')),
    ]
    const { exitCode, out, err } = await importKlines(store, good, bad)
    expect([exitCode, err]).toEqual([
      2,
      `Line 2 of ${bad} has a high of 8 below its low of 9; correct or remove it.\n`,
    ])
    expect(out).toContain('2 new.')
    expect(klinesIn(new KlineStore(store).klines({ ...MARKET, interval: '1m' }).read())).toHaveLength(2)
  })

  it.each<[string, readonly string[], string]>([
    [
      'no interval',
      ['import', 'a.csv', ...WHERE],
      'Klines need an interval; give it with --interval, such as --interval 1m.',
    ],
    [
      'no venue',
      ['import', 'a.csv', '--symbol', 'BTC/USDT'],
      "required option '--venue <name>' not specified",
    ],
    [
      'a pattern without files',
      ['import', 'none-*.csv', ...WHERE, '--interval', '1m'],
      'No file matches none-*.csv;',
    ],
    [
      'a file that is missing',
      ['import', 'none.csv', ...WHERE, '--interval', '1m'],
      'The kline file none.csv does not exist;',
    ],
    [
      'another format',
      ['import', 'a.csv', ...WHERE, '--interval', '1m', '--format', 'xml'],
      'Allowed choices are csv, binance',
    ],
  ])('refuses %s with exit code 2', async (_, args, sentence) => {
    const { exitCode, out, err } = await sluiceHere('klines', ...args, '--store', scratchFolder())
    expect([exitCode, out]).toEqual([2, ''])
    expect(err).toContain(sentence)
  })

  it('refuses klines of another interval, naming the file', async () => {
    const file = fileWith('h.csv', csvOf([3, 63, 123]))
    const { exitCode, err } = await importKlines(scratchFolder(), file)
    expect([exitCode, err]).toEqual([
      2,
      `${file}: The klines are of the interval 1h, not 1m: their open times all fit it.\n`,
    ])
  })
})
