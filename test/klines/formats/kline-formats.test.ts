import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import {
  type DataType,
  Field,
  Float64,
  Int64,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  TimestampNanosecond,
} from 'apache-arrow'
import type { SchemaElement } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import type { KlineFormat } from '../../../src/klines/formats/kline-format.ts'
import { readKlineTable } from '../../../src/klines/formats/read-kline-table.ts'
import { requireSound } from '../../../src/klines/formats/require-sound.ts'
import type { UnreadableRow } from '../../../src/klines/formats/text/unreadable-row.ts'
import { klinesIn } from '../../../src/klines/kline-columns.ts'
import { fileOf, fixture } from './data-files.ts'
import { zipOf } from './zip-of.ts'

/** What the fixtures and texts here hold, by hand. */
const KLINES = [
  {
    openTime: 1514764800000,
    open: 13763,
    high: 13788,
    low: 13752.18233851,
    close: 13753,
    volume: 5.13326771,
  },
  { openTime: 1514764860000, open: 13763, high: 13773, low: 13741, close: 13772, volume: 0 },
  { openTime: 1514764980000, open: 13774, high: 13777.5, low: 13741, close: 13742, volume: 16.95892633 },
]
const columnsOf = async (path: string, format?: KlineFormat) =>
  requireSound(await readKlineTable(path, { format }), path)
const read = async (path: string, format?: KlineFormat) => klinesIn(await columnsOf(path, format))

const timeAt = (row: number) => 1514764800000 + row * 60_000
const VALUES = ['open', 'high', 'low', 'close'] as const

/** An Arrow file: moments in ns, prices of half above their row, and volumes in whole numbers of 64 bits. */
function batchesOf(count: number, rows: number): Uint8Array {
  const [time, double, whole] = [new TimestampNanosecond('UTC'), new Float64(), new Int64()]
  const fields = [
    new Field<DataType>('date', time, false),
    ...VALUES.map(name => new Field<DataType>(name, double, false)),
    new Field<DataType>('volume', whole, false),
  ]
  const batches = Array.from({ length: count }, (_, batch) => {
    const all = Array.from({ length: rows }, (_, row) => batch * rows + row)
    // Of their own for each column: the library writes the same memory once only.
    const prices = () => Float64Array.from(all, row => row + 0.5)
    const [times, volumes] = [all.map(row => BigInt(timeAt(row)) * 1_000_000n), all.map(BigInt)]
    const children = [
      makeData({ type: time, data: BigInt64Array.from(times), length: rows, nullCount: 0 }),
      ...VALUES.map(() => makeData({ type: double, data: prices(), length: rows, nullCount: 0 })),
      makeData({ type: whole, data: BigInt64Array.from(volumes), length: rows, nullCount: 0 }),
    ]
    const type = new Struct(fields)
    return new RecordBatch(new Schema(fields), makeData({ type, length: rows, nullCount: 0, children }))
  })
  return RecordBatchFileWriter.writeAll(batches).toUint8Array(true)
}

/** The same as Parquet, with moments in µs. */
function rowGroupsOf(count: number, rows: number, nulls: 'REQUIRED' | 'OPTIONAL'): Uint8Array {
  const all = Array.from({ length: count * rows }, (_, row) => row)
  const prices = Float64Array.from(all, row => row + 0.5)
  const micros: SchemaElement = {
    name: 'date',
    type: 'INT64',
    repetition_type: nulls,
    converted_type: 'TIMESTAMP_MICROS',
  }
  const buffer = parquetWriteBuffer({
    columnData: [
      { name: 'date', data: BigInt64Array.from(all, row => BigInt(timeAt(row)) * 1000n) },
      ...VALUES.map(name => ({ name, data: prices })),
      { name: 'volume', data: BigInt64Array.from(all, BigInt) },
    ],
    schema: [
      { name: 'klines', num_children: 6 },
      micros,
      ...VALUES.map((name): SchemaElement => ({ name, type: 'DOUBLE', repetition_type: nulls })),
      { name: 'volume', type: 'INT64', repetition_type: nulls },
    ],
    rowGroupSize: rows,
  })
  return new Uint8Array(buffer)
}

async function problemOf(path: string, format?: KlineFormat): Promise<string> {
  const error: unknown = await columnsOf(path, format).catch(reason => reason)
  expect(error).toMatchObject({ code: 'USAGE' })
  return error instanceof Error ? error.message.replaceAll(path, 'FILE') : ''
}

describe('a dump of Binance', () => {
  // The row that the description of the dumps shows (github.com/binance/binance-public-data), in µs; then in ms.
  const MICROS =
    '1735689600000000,4.15070000,4.15870000,4.15060000,4.15540000,539.23000000,1735693199999999,2240.39860900,13,401.82000000,1669.98121300,0\n'
  const MILLIS =
    '1735689600000,4.15070000,4.15870000,4.15060000,4.15540000,539.23000000,1735693199999,2240.39860900,13,401.82000000,1669.98121300,0\n'
  const HEADER =
    'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore\n'
  const KLINE = {
    openTime: 1735689600000,
    open: 4.1507,
    high: 4.1587,
    low: 4.1506,
    close: 4.1554,
    volume: 539.23,
  }

  it.each<[string, string | Uint8Array]>([
    ['in microseconds', MICROS],
    ['in milliseconds', MILLIS],
    ['with a header', HEADER + MILLIS],
    ['in ZIP', zipOf({ 'AUSDT-1h-2025-01.csv': MICROS })],
  ])('is recognised %s', async (_, content) => {
    expect(await read(fileOf(content))).toEqual([KLINE])
  })

  it('still knows the lines behind a field with line breaks', async () => {
    const broken = MILLIS.replace(',0\n', ',"a\r\n""b""\n"\n')
    const unreadable: UnreadableRow[] = []
    const options = { onUnreadable: (row: UnreadableRow) => unreadable.push(row) }
    const table = await readKlineTable(fileOf(`${broken}x\n${MILLIS}`), options)
    expect(unreadable.map(({ place }) => place)).toEqual(['Line 4'])
    expect([table.columns.length, table.placeOf(0), table.placeOf(1)]).toEqual([2, 'Line 1', 'Line 5'])
  })

  it('is refused for a row without a last column, naming the columns', async () => {
    expect(await problemOf(fileOf(`${MICROS}${MICROS.trimEnd().slice(0, -2)}`))).toBe(
      `Line 2 of FILE has 11 columns, but 12 were expected: ${HEADER.trimEnd()}.`,
    )
  })
})

describe('a JSON file of freqtrade', () => {
  const TEXT = JSON.stringify(KLINES.map(kline => Object.values(kline)))

  it.each<[string, string | Uint8Array]>([
    ['without spaces', TEXT],
    ['with spaces and line ends', JSON.stringify(JSON.parse(TEXT), undefined, 2)],
    ['with spaces behind commas', TEXT.replaceAll(',', ', ')],
    ['in gzip', gzipSync(TEXT)],
  ])('is read %s', async (_, content) => {
    expect(await read(fileOf(content, 'BTC_USDT-1m.json'))).toEqual(KLINES)
  })

  it.each([
    ['[]', 'FILE has no klines; expected rows of idx,open,high,low,close,vol, oldest first.'],
    [TEXT.slice(0, -1), 'FILE ends in the middle of its list; fetch it again.'],
    [TEXT.slice(0, -9), 'FILE ends in the middle of its list; fetch it again.'],
    ['{"data":[]}', 'FILE is no JSON list of lists of numbers, each of them idx,open,high,low,close,vol.'],
    ['[1,2]', 'FILE is no JSON list of lists of numbers, each of them idx,open,high,low,close,vol.'],
    [TEXT.replace('13773', 'null'), 'Entry 2 of FILE has "null" as its high; expected a price above 0.'],
    [TEXT.replace('13773,', ''), /^Entry 2 of FILE has 5 columns, but 6 were expected/],
    [
      TEXT.replace('13773', '13740'),
      'Entry 2 of FILE has a high of 13740 below its low of 13741; correct or remove it.',
    ],
  ])('is refused for %s', async (text, problem) => {
    const said = await problemOf(fileOf(text))
    if (problem instanceof RegExp) expect(said).toMatch(problem)
    else expect(said).toBe(problem)
  })
})

describe('an Arrow or Parquet file', () => {
  it.each([
    // pandas 3.1.1 with pyarrow 26.0.1, in the call of freqtrade: to_feather(compression_level=9, compression='lz4'), ms.
    ['freqtrade.feather', 'arrow'],
    // to_feather(compression='zstd'), moments in ns.
    ['zstd-ns.feather', 'arrow'],
    // to_parquet() with the moments as the index, in µs, Snappy.
    ['pandas-index.parquet', 'parquet'],
    // DuckDB 2.0.0, COPY … (FORMAT parquet, COMPRESSION zstd): open_time BIGINT in ms, and vol instead of volume.
    ['duckdb-zstd.parquet', 'parquet'],
  ] as const)('written by another program is read: %s', async (name, format) => {
    expect(await read(fixture(name))).toEqual(KLINES)
    expect(await read(fixture(name), format)).toEqual(KLINES)
  })

  it('whose LZ4 blocks refer to those before them is read', async () => {
    // As freqtrade.feather, its three rows 3000 times: 72,000 bytes a column, more than the 64 KiB of a block.
    const { columns } = await readKlineTable(fixture('linked-blocks.feather'))
    expect(columns.length).toBe(9000)
    const isRight = (row: number) =>
      columns.low[row] === KLINES[row % 3]?.low && columns.openTime[row] === KLINES[row % 3]?.openTime
    expect(Array.from(columns.low, (_, row) => row).every(isRight)).toBe(true)
  })

  it.each([
    ['several batches', batchesOf(3, 20_000)],
    ['several row groups', rowGroupsOf(3, 20_000, 'REQUIRED')],
    ['several row groups that may have nulls', rowGroupsOf(3, 20_000, 'OPTIONAL')],
  ])('of %s is read, though the memory of each is given back', async (_, bytes) => {
    const { columns } = await readKlineTable(fileOf(bytes))
    expect(columns.length).toBe(60_000)
    const isRight = (row: number) =>
      columns.openTime[row] === timeAt(row) && columns.open[row] === row + 0.5 && columns.volume[row] === row
    expect(Array.from(columns.open, (_, row) => row).filter(row => !isRight(row))).toEqual([])
  })

  it.each([
    // A NaN written by pandas; nulls written by Polars 2.1.0 (Arrow; Parquet with gzip); a column left out; NUMERIC of DuckDB.
    ['hole.feather', 'Row 2 of FILE has no number as its high; expected a price above 0.'],
    ['polars-null.arrow', 'Row 2 of FILE has no number as its high; expected a price above 0.'],
    ['polars-null.parquet', 'Row 2 of FILE has no number as its high; expected a price above 0.'],
    [
      'no-close.feather',
      'FILE has no column close; expected date, open, high, low, close and volume, but it has date, open, high, low, volume.',
    ],
    ['decimal.parquet', 'The column open of FILE is of the type DECIMAL; expected a number (DOUBLE).'],
  ])('is refused: %s', async (name, problem) => {
    expect(await problemOf(fixture(name))).toBe(problem)
  })

  it.each([
    'freqtrade.feather',
    'zstd-ns.feather',
    'linked-blocks.feather',
    'pandas-index.parquet',
    'duckdb-zstd.parquet',
  ])('that is cut anywhere is refused with a sentence: %s', async name => {
    const whole = readFileSync(fixture(name))
    for (let length = 8; length < whole.length; length += 97) {
      expect(await problemOf(fileOf(whole.subarray(0, length)))).toMatch(/FILE/)
    }
  })
})

describe('an Arrow file whose batch says that it has more rows than values', () => {
  it('is refused', async () => {
    const bytes = readFileSync(fixture('freqtrade.feather'))
    // Every count of its three rows becomes a million.
    for (let at = 0; at + 8 <= bytes.length; at += 8) {
      if (bytes.readBigInt64LE(at) === 3n) bytes.writeBigInt64LE(1_000_000n, at)
    }
    expect(await problemOf(fileOf(bytes))).toBe(
      'The kline file FILE is a damaged Arrow file; fetch it again.',
    )
  })
})

describe('a format that is asked for', () => {
  const CSV = 'idx,open,high,low,close,vol\n1514764800000,10,12,9,11,3.5\n'

  it('overrides what the content looks like', async () => {
    expect(await problemOf(fileOf(CSV), 'binance')).toMatch(
      /^Line 1 of FILE has 6 columns, but 12 were expected/,
    )
    expect(await problemOf(fileOf(CSV), 'json')).toMatch(/^FILE is no JSON list of lists/)
  })

  it.each([
    [
      'freqtrade.feather',
      'csv',
      'The kline file FILE is not of the format csv, but of the format arrow; leave out --format.',
    ],
    [
      'duckdb-zstd.parquet',
      'arrow',
      'The kline file FILE is not of the format arrow, but of the format parquet; leave out --format.',
    ],
  ] as const)('must not contradict a binary file: %s as %s', async (name, format, problem) => {
    expect(await problemOf(fixture(name), format)).toBe(problem)
  })

  it('cannot be binary where the file is a text', async () => {
    expect(await problemOf(fileOf(CSV), 'parquet')).toBe(
      'The kline file FILE is not of the format parquet, but a text (or packed); leave out --format.',
    )
  })
})

describe('a file read to its end', () => {
  it.each([
    [
      'k.csv',
      '\n1514764800000,10,12,9,11,3.5\nx,1,1,1,1,1\n\n1514764860000,1,2,3\n1514764980000,11,12,9,11,3.5\n',
    ],
    ['k.json', '[[1514764800000,10,12,9,11,3.5],[null,1,1,1,1,1],[1514764980000,11,12,9,11,3.5]]'],
  ])('leaves out unreadable rows, and still knows the places of the others: %s', async (name, text) => {
    const unreadable: UnreadableRow[] = []
    const table = await readKlineTable(fileOf(text, name), { onUnreadable: row => unreadable.push(row) })
    expect(table.columns.open).toEqual(Float64Array.of(10, 11))
    const places = [...unreadable.map(({ place }) => place), table.placeOf(0), table.placeOf(1)]
    expect(places).toEqual(
      name === 'k.csv' ? ['Line 3', 'Line 5', 'Line 2', 'Line 6'] : ['Entry 2', 'Entry 1', 'Entry 3'],
    )
  })

  it.each(['hole.feather', 'polars-null.arrow'])(
    'leaves out rows with nothing in a column: %s',
    async name => {
      const table = await readKlineTable(fixture(name), { onUnreadable: () => {} })
      expect(klinesIn(table.columns)).toEqual([KLINES[0], KLINES[2]])
      expect([table.placeOf(0), table.placeOf(1)]).toEqual(['Row 1', 'Row 3'])
    },
  )
})
