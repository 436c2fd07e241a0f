import { describe, expect, it } from 'vitest'
import { klineAt } from '../../src/klines/kline-columns.ts'
import { parseKlineCsv } from '../../src/klines/parse-kline-csv.ts'

const HEADER = 'idx,open,high,low,close,vol\n'
const FIRST = '1514764800000,10,12,9,11,3.5\n'
const SECOND = '1514764860000,11,11.5,10.25,10.5,0\n'
const parse = (text: string) => parseKlineCsv(Buffer.from(text), 'k.csv')

describe('parseKlineCsv', () => {
  it('reads rows into columns', () => {
    const columns = parse(HEADER + FIRST + SECOND)
    expect(columns.length).toBe(2)
    expect(columns.close).toEqual(Float64Array.of(11, 10.5))
    expect(klineAt(columns, 1)).toEqual({
      openTime: 1514764860000,
      open: 11,
      high: 11.5,
      low: 10.25,
      close: 10.5,
      volume: 0,
    })
  })

  it.each([
    ['no header', FIRST + SECOND],
    ['no newline at the end', (HEADER + FIRST + SECOND).trimEnd()],
    ['CRLF line ends', (HEADER + FIRST + SECOND).replaceAll('\n', '\r\n')],
    [
      'CRLF line ends, the last one cut',
      `${(HEADER + FIRST + SECOND).replaceAll('\n', '\r\n').slice(0, -1)}`,
    ],
    ['blank lines at the end', `${HEADER + FIRST + SECOND}\n\r\n`],
    ['a byte order mark', `\uFEFF${HEADER}${FIRST}${SECOND}`],
    ['a byte order mark and no header', `\uFEFF${FIRST}${SECOND}`],
    [
      'other names for the time and the volume',
      `"timestamp","Open","high","low","close","volume"\n${FIRST}${SECOND}`,
    ],
    ['times in seconds', (FIRST + SECOND).replaceAll('000,', ',')],
  ])('reads the same klines from a file with %s', (_, text) => {
    expect(parse(text)).toEqual(parse(HEADER + FIRST + SECOND))
  })

  it.each([
    ['', 'k.csv has no klines; expected rows of idx,open,high,low,close,vol, oldest first.'],
    [HEADER, 'k.csv has no klines; expected rows of idx,open,high,low,close,vol, oldest first.'],
    [
      `${HEADER}${FIRST}1514764860000,11,11,10,10\n`,
      'Line 3 of k.csv has 5 columns, but 6 were expected: idx,open,high,low,close,vol.',
    ],
    [
      `${FIRST}1514764860000,11,11,10,10,1,9\n`,
      'Line 2 of k.csv has 7 columns, but 6 were expected: idx,open,high,low,close,vol.',
    ],
    [
      `idx,open,low,high,close,vol\n${FIRST}`,
      'Line 1 of k.csv has "idx" as its open time; expected a whole number of milliseconds (or seconds) since 1970, UTC.',
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
      '1735689600000000,10,11,9,10,1\n',
      'Line 1 of k.csv has "1735689600000000" as its open time; expected a whole number of milliseconds (or seconds) since 1970, UTC.',
    ],
    [
      '2018-01-01,10,11,9,10,1\n',
      'Line 1 of k.csv has "2018-01-01" as its open time; expected a whole number of milliseconds (or seconds) since 1970, UTC.',
    ],
    [
      `${HEADER}1514764800000,10,9,10,10,1\n`,
      'Line 2 of k.csv has a high of 9 below its low of 10; correct or remove it.',
    ],
    [
      `1514764800000,8.5,11,9,10,1\n`,
      'Line 1 of k.csv has an open of 8.5 outside its low of 9 and its high of 11; correct or remove it.',
    ],
    [
      `1514764800000,10,11,9,11.5,1\n`,
      'Line 1 of k.csv has a close of 11.5 outside its low of 9 and its high of 11; correct or remove it.',
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
    [(FIRST + SECOND).replaceAll('\n', '\r'), /^Line 1 of k\.csv has 11 columns/],
    ['\u0000PNG\nwhatever', /^Line 1 of k\.csv has 1 columns/],
  ])('refuses %j', (text, message) => {
    const expected = message instanceof RegExp ? expect.stringMatching(message) : message
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'USAGE', message: expected }))
  })
})
