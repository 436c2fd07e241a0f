import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readKlineFile } from '../../../src/klines/formats/read-kline-file.ts'
import { klineAt, klinesIn } from '../../../src/klines/kline-columns.ts'
import { fileOf } from './data-files.ts'
import { zipOf } from './zip-of.ts'

const HEADER = 'idx,open,high,low,close,vol\n'
const FIRST = '1514764800000,10,12,9,11,3.5\n'
const SECOND = '1514764860000,11,11.5,10.25,10.5,0\n'
const TEXT = HEADER + FIRST + SECOND
const KLINES = [
  { openTime: 1514764800000, open: 10, high: 12, low: 9, close: 11, volume: 3.5 },
  { openTime: 1514764860000, open: 11, high: 11.5, low: 10.25, close: 10.5, volume: 0 },
]
const read = async (content: string | Uint8Array) => klinesIn((await readKlineFile(fileOf(content))).columns)

describe('a CSV file of klines', () => {
  it.each<[string, string | Uint8Array]>([
    ['a header', TEXT],
    ['no header', FIRST + SECOND],
    ['no newline at the end', TEXT.trimEnd()],
    ['CRLF line ends', TEXT.replaceAll('\n', '\r\n')],
    ['CR line ends', TEXT.replaceAll('\n', '\r')],
    ['line ends of several kinds', `${HEADER}${FIRST.trimEnd()}\r\n${SECOND.trimEnd()}\r`],
    ['every field in quotes', TEXT.replaceAll(/[^,\n]+/g, '"$&"')],
    ['a line break in its header', TEXT.replace('idx', '"open\r\ntime"')],
    ['CRLF line ends, the last one cut', TEXT.replaceAll('\n', '\r\n').slice(0, -1)],
    ['blank lines at the end', `${TEXT}\n\r\n`],
    ['a blank line in the middle', `${HEADER}${FIRST}\n${SECOND}`],
    ['a byte order mark', `\uFEFF${TEXT}`],
    ['a byte order mark and no header', `\uFEFF${FIRST}${SECOND}`],
    [
      'other names for the time and the volume',
      `"timestamp","Open","high","low","close","volume"\n${FIRST}${SECOND}`,
    ],
    ['times in seconds', (FIRST + SECOND).replaceAll('000,', ',')],
    ['times in microseconds', FIRST.replace('000,', '000000,') + SECOND.replace('000,', '000000,')],
    ['gzip', gzipSync(TEXT)],
    ['gzip of two members', Buffer.concat([gzipSync(HEADER + FIRST), gzipSync(SECOND)])],
    ['ZIP', zipOf({ 'k.csv': TEXT })],
    [
      'ZIP with a checksum and a folder',
      zipOf({ 'd/': '', 'd/k.csv': TEXT, 'k.csv.CHECKSUM': 'abc  k.csv\n' }),
    ],
  ])('is read the same with %s', async (_, content) => {
    expect(await read(content)).toEqual(KLINES)
  })

  it('is read whole where its rows are cut by the pieces that it arrives in', async () => {
    const rows = Array.from({ length: 9000 }, (_, row) => [
      1514764800000 + row * 60_000,
      ...[100 + (row % 7) / 8, 101.5, 99.25, 100 + (row % 5) / 4, row * 1.25],
    ])
    const text = `${HEADER}${rows.map(row => row.join(',')).join('\n')}\n`
    for (const content of [text, gzipSync(text)]) {
      const { columns } = await readKlineFile(fileOf(content))
      expect(columns.length).toBe(9000)
      expect(columns.openTime.every((time, row) => time === rows[row]?.[0])).toBe(true)
      expect(columns.volume.every((volume, row) => volume === row * 1.25)).toBe(true)
      expect(Object.values(klineAt(columns, 4567))).toEqual(rows[4567])
    }
  })

  it.each([
    ['', 'k.csv has no klines; expected rows of idx,open,high,low,close,vol, oldest first.'],
    [HEADER, 'k.csv has no klines; expected rows of idx,open,high,low,close,vol, oldest first.'],
    [
      `${HEADER}${FIRST}1514764860000,11,11,10,10\n`,
      'Line 3 of k.csv has 5 columns, but 6 were expected: idx,open,high,low,close,vol.',
    ],
    [
      FIRST.replaceAll(',', ';'),
      'Line 1 of k.csv separates its columns by ";", but they must be separated by commas: idx,open,high,low,close,vol.',
    ],
    [
      `${FIRST}1514764860000,11,11,10,10,1,9\n`,
      'Line 2 of k.csv has 7 columns, but 6 were expected: idx,open,high,low,close,vol.',
    ],
    [
      `idx,open,low,high,close,vol\n${FIRST}`,
      'Line 1 of k.csv has "idx" as its open time; expected a whole number of milliseconds (or seconds, or microseconds) since 1970, UTC.',
    ],
    [
      `${HEADER}1514764800000,10,NaN,9,11,1\n`,
      'Line 2 of k.csv has "NaN" as its high; expected a price above 0.',
    ],
    [`1514764800000,10,11,,10,1\n`, 'Line 1 of k.csv has "" as its low; expected a price above 0.'],
    [`1514764800000,10,11,0,10,1\n`, 'Line 1 of k.csv has "0" as its low; expected a price above 0.'],
    [`1514764800000,-10,11,9,10,1\n`, 'Line 1 of k.csv has "-10" as its open; expected a price above 0.'],
    [`1514764800000,10,1e400,9,10,1\n`, 'Line 1 of k.csv has "1e400" as its high; expected a price above 0.'],
    [
      `1514764800000,10,11,9,10,-1\n`,
      'Line 1 of k.csv has "-1" as its volume; expected a number of at least 0.',
    ],
    [`1514764800000,10,11,9,10,\n`, 'Line 1 of k.csv has "" as its volume; expected a number of at least 0.'],
    [
      '1514764800000.5,10,11,9,10,1\n',
      /^Line 1 of k\.csv has "1514764800000\.5" as its open time; expected a whole/,
    ],
    ['1514764800000000000,10,11,9,10,1\n', /^Line 1 of k\.csv has "1514764800000000000" as its open time/],
    ['2018-01-01,10,11,9,10,1\n', /^Line 1 of k\.csv has "2018-01-01" as its open time; expected a whole/],
    [
      `${HEADER}1514764800000,10,9,10,10,1\n`,
      'Line 2 of k.csv has a high of 9 below its low of 10; correct or remove it.',
    ],
    [
      `1514764800000,8.5,11,9,10,1\n`,
      'Line 1 of k.csv has an open of 8.5 outside its low of 9 and its high of 11; correct or remove it.',
    ],
    [
      `\n1514764800000,10,11,9,11.5,1\n`,
      'Line 2 of k.csv has a close of 11.5 outside its low of 9 and its high of 11; correct or remove it.',
    ],
    [
      HEADER + FIRST + FIRST,
      'Line 3 of k.csv repeats the open time 2018-01-01T00:00:00.000Z of the kline before it; keep one kline for each time.',
    ],
    [
      HEADER + SECOND + FIRST,
      'Line 3 of k.csv opens at 2018-01-01T00:00:00.000Z, before the kline above it (2018-01-01T00:01:00.000Z); sort the file by open time.',
    ],
    [`${FIRST}${HEADER}`, /^Line 2 of k\.csv has "idx" as its open time/],
    [
      FIRST.replaceAll(',', '\t'),
      'Line 1 of k.csv separates its columns by tabs, but they must be separated by commas: idx,open,high,low,close,vol.',
    ],
    [
      `${HEADER}1514764800000,"10,5",11,9,10,1\n`,
      'Line 2 of k.csv has "10,5" as its open; expected a price above 0.',
    ],
    [
      `${HEADER}1514764800000,1"0,11,9,10,1\n`,
      'Line 2 of k.csv has "1"0" as its open; expected a price above 0.',
    ],
    [
      `${HEADER}${FIRST}1514764860000,"11,11.5,10.25,10.5,0\n${FIRST}`,
      'Line 3 of k.csv opens a quote that is not closed; close the quote or remove it.',
    ],
    [`"${FIRST}${SECOND}`, 'Line 1 of k.csv opens a quote that is not closed; close the quote or remove it.'],
    [
      `${HEADER.replace('idx', '"open\r\ntime"')}1514764800000,10,NaN,9,11,1\n`,
      'Line 3 of k.csv has "NaN" as its high; expected a price above 0.',
    ],
    [
      `${HEADER.replace('idx', '"open\r\ntime"')}1514764800000,10,9,10,10,1\n`,
      'Line 3 of k.csv has a high of 9 below its low of 10; correct or remove it.',
    ],
    [
      `${HEADER}${FIRST.repeat(9000).replaceAll('\n', '\r\n')}x\r\n`,
      'Line 9002 of k.csv has 1 columns, but 6 were expected: idx,open,high,low,close,vol.',
    ],
    [`${FIRST.trimEnd()}]`, /^Line 1 of k\.csv has "3\.5]" as its volume/],
    ['\u0000PNG\nwhatever', /^k\.csv is neither a text nor an Arrow or Parquet file/],
  ])('is refused for %j', async (text, message) => {
    const path = fileOf(text)
    const error: unknown = await readKlineFile(path).catch(reason => reason)
    const said = error instanceof Error ? error.message.replaceAll(path, 'k.csv') : error
    expect(error).toMatchObject({ code: 'USAGE' })
    if (message instanceof RegExp) expect(said).toMatch(message)
    else expect(said).toBe(message)
  })

  it('is refused for a quote that is closed far below', async () => {
    const path = fileOf(`${HEADER}${FIRST}"${'1\n'.repeat(200_000)}"\n`)
    await expect(readKlineFile(path)).rejects.toMatchObject({
      code: 'USAGE',
      message: `Line 3 of ${path} opens a quote that is not closed; close the quote or remove it.`,
    })
  })

  it.each<[string, Uint8Array, string]>([
    [
      'a cut gzip file',
      gzipSync(TEXT).subarray(0, 30),
      'The kline file k.csv is a damaged gzip file; fetch it again.',
    ],
    [
      'a cut ZIP file',
      zipOf({ a: TEXT }).subarray(0, 60),
      'The kline file k.csv is a damaged ZIP file; fetch it again.',
    ],
    [
      'a ZIP file of two',
      zipOf({ 'a.csv': TEXT, 'b.csv': TEXT }),
      'The ZIP file k.csv holds 2 data files (a.csv, b.csv); expected one CSV or JSON file.',
    ],
    [
      'a ZIP file of none',
      zipOf({}),
      'The ZIP file k.csv holds 0 data files; expected one CSV or JSON file.',
    ],
  ])('is refused in %s', async (_, content, message) => {
    const path = fileOf(content)
    await expect(readKlineFile(path)).rejects.toMatchObject({
      code: 'USAGE',
      message: message.replaceAll('k.csv', path),
    })
  })

  it('that does not exist is refused', async () => {
    await expect(readKlineFile('/none.csv')).rejects.toThrow(
      'The kline file /none.csv does not exist; give the path of a file that can be read.',
    )
    await expect(readKlineFile('/')).rejects.toThrow('The kline file / cannot be read; give the path of')
  })
})
