import { tableFromIPC } from 'apache-arrow'
import fc from 'fast-check'
import { parquetMetadata } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import { EXPORT_FORMATS, encodeKlines } from '../../../src/klines/formats/encode-klines.ts'
import { readKlineFile } from '../../../src/klines/formats/read-kline-file.ts'
import { columnsFrom, klineAt, klinesIn } from '../../../src/klines/kline-columns.ts'
import { fileOf } from './data-files.ts'

const MINUTE = 60_000
const START = Date.UTC(2018, 0, 1)
const KLINES = [
  { openTime: START, open: 0.1, high: 0.30000000000000004, low: 1e-7, close: 0.2, volume: 0 },
  { openTime: START + MINUTE, open: 13763, high: 1e21, low: 13752.18233851, close: 13753, volume: 5e-324 },
]

describe('encodeKlines', () => {
  it('writes CSV as this project has it', async () => {
    expect(Buffer.from(await encodeKlines(columnsFrom(KLINES), 'csv')).toString()).toBe(
      'idx,open,high,low,close,vol\n1514764800000,0.1,0.30000000000000004,1e-7,0.2,0\n1514764860000,13763,1e+21,13752.18233851,13753,5e-324\n',
    )
  })

  it('writes the columns of freqtrade as Arrow and Parquet, with moments in UTC', async () => {
    const arrow = tableFromIPC(await encodeKlines(columnsFrom(KLINES), 'arrow'))
    expect(arrow.schema.fields.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'date Timestamp<MILLISECOND, UTC>',
      ...['open Float64', 'high Float64', 'low Float64', 'close Float64', 'volume Float64'],
    ])
    const { schema } = parquetMetadata(await encodeKlines(columnsFrom(KLINES), 'parquet'))
    const moment = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' }
    expect(schema[1]).toMatchObject({ name: 'date', type: 'INT64', logical_type: moment })
    expect(schema.slice(2).map(({ name, type }) => `${name} ${type}`)).toEqual(
      ['open', 'high', 'low', 'close', 'volume'].map(name => `${name} DOUBLE`),
    )
  })

  it.each(EXPORT_FORMATS)('writes %s that is read back as it was', async format => {
    const price = fc.double({ min: 1e-12, max: 1e12, noNaN: true })
    const prices = fc.tuple(price, price, price, price, fc.double({ min: 0, max: 1e15, noNaN: true }))
    await fc.assert(
      fc.asyncProperty(fc.array(prices, { minLength: 1, maxLength: 40 }), async rows => {
        const klines = rows.map(([a, b, c, d, volume], row) => ({
          openTime: START + row * MINUTE,
          open: a,
          high: Math.max(a, b, c, d),
          low: Math.min(a, b, c, d),
          close: b,
          volume,
        }))
        const path = fileOf(await encodeKlines(columnsFrom([...klines]), format))
        expect(klinesIn((await readKlineFile(path)).columns)).toEqual(klines)
      }),
      { numRuns: 30, examples: [[[[0.1, 0.2, 0.3, 1e-7, 0]]]] },
    )
  })

  it.each(EXPORT_FORMATS)('writes many rows as %s', async format => {
    const klines = Array.from({ length: 120_000 }, (_, row) => ({
      openTime: START + row * MINUTE,
      open: 1 + (row % 97) / 8,
      high: 20,
      low: 0.5,
      close: 1 + (row % 89) / 8,
      volume: row,
    }))
    const { columns } = await readKlineFile(fileOf(await encodeKlines(columnsFrom(klines), format)))
    const isSame = (row: number) => JSON.stringify(klineAt(columns, row)) === JSON.stringify(klines[row])
    expect([columns.length, klines.findIndex((_, row) => !isSame(row))]).toEqual([120_000, -1])
  })
})
