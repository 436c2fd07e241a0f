import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { checkInterval } from '../../../src/klines/check-interval.ts'
import { readKlineFile } from '../../../src/klines/formats/read-kline-file.ts'
import { hasShared, sharedPath } from '../../shared-data.ts'
import { fileOf } from './data-files.ts'

describe('readKlineFile', () => {
  it('identifies a file by the SHA-256 of its stored bytes', async () => {
    const stored = gzipSync('idx,open,high,low,close,vol\n1514764800000,10,12,9,11,3.5\n')
    const expected = createHash('sha256').update(stored).digest('hex')
    expect((await readKlineFile(fileOf(stored))).sha256).toBe(expected)
  })

  it.each([
    ['backtestingpy-goog-1d', '1d', 2148, undefined],
    ['binance-btcusdt-15m', '15m', 46_673, 0],
    ['binance-btcusdt-1h', '1h', 37_923, 1],
    ['binance-btcusdt-1d', '1d', 3178, 0],
    ['bitfinex-neousd-1m', '1m', 386_831, 70_678],
    ['derived-bitfinex-btcusd-2018filled-1m', '1m', 525_600, 0],
    ['freqtrade-unittestbtc-1m', '1m', 13_681, 538],
  ] as const)('reads every row of %s, and counts its gaps', async (name, interval, rows, gaps) => {
    const parts = ['data', `${name}.csv.gz`]
    if (!hasShared(...parts)) return
    const path = sharedPath(...parts)
    const { columns } = await readKlineFile(path)
    expect(columns.length).toBe(rows)
    if (gaps !== undefined) expect(checkInterval(columns, interval).count).toBe(gaps)
    // Its last line, the simple way.
    const last = gunzipSync(readFileSync(path)).toString().trimEnd().split('\n').at(-1)
    expect([columns.openTime.at(-1), columns.close.at(-1), columns.volume.at(-1)]).toEqual(
      [0, 4, 5].map(field => Number(last?.split(',')[field])),
    )
  })
})
