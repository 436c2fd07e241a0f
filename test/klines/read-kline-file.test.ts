import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { checkInterval } from '../../src/klines/check-interval.ts'
import { readKlineFile } from '../../src/klines/read-kline-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-klines-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const TEXT = 'idx,open,high,low,close,vol\n1514764800000,10,12,9,11,3.5\n'

describe('readKlineFile', () => {
  it('reads plain and gzip files alike, whatever they are called', () => {
    const plain = readKlineFile(file('a.csv', TEXT))
    expect(plain.columns.close).toEqual(Float64Array.of(11))
    expect(readKlineFile(file('a.csv.gz', gzipSync(TEXT))).columns).toEqual(plain.columns)
    expect(readKlineFile(file('gzip-inside.csv', gzipSync(TEXT))).columns).toEqual(plain.columns)
  })

  it('identifies a file by the SHA-256 of its stored bytes', () => {
    const stored = gzipSync(TEXT)
    const expected = createHash('sha256').update(stored).digest('hex')
    expect(readKlineFile(file('b.csv.gz', stored)).sha256).toBe(expected)
  })

  it.each([
    ['missing.csv', undefined, 'does not exist; give the path of a .csv or .csv.gz file.'],
    ['', undefined, 'cannot be read; give the path of a .csv or .csv.gz file.'],
    ['cut.csv.gz', gzipSync(TEXT).subarray(0, 30), 'is a damaged gzip file; fetch it again.'],
  ])('refuses %j with a sentence', (name, content, message) => {
    const path = content === undefined ? join(folder, name) : file(name, content)
    expect(() => readKlineFile(path)).toThrow(
      expect.objectContaining({ code: 'USAGE', message: `The kline file ${path} ${message}` }),
    )
  })
})

const SHARED = resolve(process.env.SLUICE_SHARED ?? '../shared', 'data')

describe.skipIf(!existsSync(SHARED))(
  `kline files of SLUICE_SHARED (skipped where ${SHARED} is absent)`,
  () => {
    it.each([
      ['backtestingpy-goog-1d', '1d', 2148, undefined],
      ['binance-btcusdt-15m', '15m', 46_673, 0],
      ['binance-btcusdt-1h', '1h', 37_923, 1],
      ['binance-btcusdt-1d', '1d', 3178, 0],
      ['bitfinex-neousd-1m', '1m', 386_831, 70_678],
      ['derived-bitfinex-btcusd-2018filled-1m', '1m', 525_600, 0],
      ['freqtrade-unittestbtc-1m', '1m', 13_681, 538],
    ] as const)('reads every row of %s and counts its gaps', (name, interval, rows, gaps) => {
      const path = join(SHARED, `${name}.csv.gz`)
      const { columns } = readKlineFile(path)
      expect(columns.length).toBe(rows)
      if (gaps !== undefined) expect(checkInterval(columns, interval).count).toBe(gaps)
      const last = gunzipSync(readFileSync(path)).toString().trimEnd().split('\n').at(-1)
      expect([columns.openTime.at(-1), columns.close.at(-1), columns.volume.at(-1)]).toEqual(
        [0, 4, 5].map(field => Number(last?.split(',')[field])),
      )
    })
  },
)
