import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readFundingFile, readTradeColumns } from '../../../src/klines/formats/read-series-file.ts'
import { readTopOfBookFile, readTradeFile } from '../../../src/klines/formats/read-tick-file.ts'
import { hasShared, sharedPath } from '../../shared-data.ts'
import { fileOf } from './data-files.ts'
import { zipOf } from './zip-of.ts'

const RECORDED = 'local_ns,exch_ms,trade_id,price,qty,buyer_is_maker\n'
const ROW = '1723161255088176367,1723161256322,5,61800.30,0.006,0\n'
const NEXT = '1,1723161256322,6,61800.2,1,1\n'
const TICKS = 'hftbacktest-binanceusdm-btcusdt-20240808-trades.csv.gz'
const FUNDING = 'binance-btcusdtperp-funding.csv.gz'

describe('a file of trades', () => {
  it('is read at the times of the exchange, its sides those of the takers', async () => {
    const trades = [
      { time: 1723161256322, price: 61800.3, quantity: 0.006, side: 'buy' },
      { time: 1723161256322, price: 61800.2, quantity: 1, side: 'sell' },
    ]
    expect(await readTradeFile(fileOf(RECORDED + ROW + NEXT))).toEqual(trades)
    expect(await readTradeFile(fileOf(gzipSync((ROW + NEXT).replaceAll('\n', '\r\n'))))).toEqual(trades)
  })

  // Rows as the descriptions of the dumps show them (github.com/binance/binance-public-data); on futures without the last column.
  it.each<[string, string | Uint8Array, readonly number[]]>([
    [
      'trades of spot',
      '51175358,17.80180000,5.69000000,101.29224200,1583709433583,True,True\n',
      [1583709433583, 51175358, 17.8018, 5.69, -1],
    ],
    [
      'trades of futures',
      'id,price,qty,quote_qty,time,is_buyer_maker\n51175358,17.8018,5.69,101.292242,1583709433583,false\n',
      [1583709433583, 51175358, 17.8018, 5.69, 1],
    ],
    [
      'trades of futures, without a header',
      '51175358,17,5,85,1583709433583,false\n',
      [1583709433583, 51175358, 17, 5, 1],
    ],
    [
      'aggTrades of spot, in µs',
      '0,0.20000000,50.00000000,0,0,1735689600010866,False,True\n',
      [1735689600010, 0, 0.2, 50, 1],
    ],
    [
      'aggTrades of futures, in ZIP',
      zipOf({
        'a.csv':
          'agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker\n7,0.2,50,8,9,1608872400000,true\n',
      }),
      [1608872400000, 7, 0.2, 50, -1],
    ],
    [
      'aggTrades of futures, without a header',
      '7,0.2,50,8,9,1608872400000,true\n',
      [1608872400000, 7, 0.2, 50, -1],
    ],
  ])('of Binance is recognised: %s', async (_, content, expected) => {
    const { length, time, id, price, quantity, side } = await readTradeColumns(fileOf(content))
    expect(length).toBe(1)
    expect([time, id, price, quantity, side].map(column => column[0])).toEqual(expected)
  })

  it.each([
    [`${RECORDED}1,2,3,4,5\n`, 'Line 2 of FILE has 5 columns, but 6 were expected'],
    [`${RECORDED}${ROW}1,1723161256322,6,x,1,1\n`, 'Line 3 of FILE has "x" as its price; expected a number.'],
    [
      `${RECORDED}${ROW}1,1723161256322,6,7,1,2\n`,
      'Line 3 of FILE has "2" as its buyer_is_maker; expected true or false.',
    ],
    [`${RECORDED}${ROW}1,1723161256322,6,0,1,1\n`, 'Line 3 of FILE has a price of 0; expected one above 0.'],
    [
      `${RECORDED}${ROW}1,1723161256322,6,7,-1,1\n`,
      'Line 3 of FILE has a quantity of -1; expected one of at least 0.',
    ],
    [
      `${RECORDED}${ROW}${ROW}`,
      'Line 3 of FILE (2024-08-08T23:54:16.322Z) does not come after the row before it;',
    ],
    [
      `${RECORDED}${NEXT}${ROW}`,
      'Line 3 of FILE (2024-08-08T23:54:16.322Z) does not come after the row before it;',
    ],
    [
      `${ROW}1,1723161256321,9,7,1,1\n`,
      'Line 2 of FILE (2024-08-08T23:54:16.321Z) does not come after the row before it;',
    ],
    [RECORDED, 'FILE has no rows; expected local_ns,'],
    ['a,b\n', 'Line 1 of FILE has 2 columns; expected one of these: local_ns,'],
  ])('is refused with its place: %j', async (text, problem) => {
    const path = fileOf(text)
    await expect(readTradeColumns(path)).rejects.toThrow(problem.replace('FILE', path))
  })

  it('that does not exist is refused', async () => {
    await expect(readTradeFile('/none.csv')).rejects.toThrow('The trade file /none.csv does not exist')
  })

  it.skipIf(!hasShared('data', TICKS))('of six real minutes is read whole', async () => {
    const { length, time, id } = await readTradeColumns(sharedPath('data', TICKS))
    expect(length).toBe(21_313)
    expect([time[0], id[0]]).toEqual([1723161256322, 5266583935])
  })
})

describe('a file of best bids and asks', () => {
  it('is read at the times of the exchange', async () => {
    const text = 'local_ns,exch_ms,update_id,bid,bid_qty,ask,ask_qty\n9,1723161256313,11,99.5,2,100,3.25\n'
    expect(await readTopOfBookFile(fileOf(text))).toEqual([
      { time: 1723161256313, bid: 99.5, bidQuantity: 2, ask: 100, askQuantity: 3.25 },
    ])
  })
})

describe('a file of funding rates', () => {
  it.each([
    ['of this project', 'ts,rate\n1577836800000,-0.00012359\n1577865600000,1e-4\n'],
    [
      'of Binance',
      'calc_time,funding_interval_hours,last_funding_rate\n1577836800000,8,-0.00012359\n1577865600000,8,0.00010000\n',
    ],
  ])('is read: %s', async (_, text) => {
    expect(await readFundingFile(fileOf(text))).toEqual({
      length: 2,
      time: Float64Array.of(1577836800000, 1577865600000),
      rate: Float64Array.of(-0.00012359, 0.0001),
    })
  })

  it.each([
    ['ts,rate\n1577836800000,0.01%\n', 'Line 2 of FILE has "0.01%" as its rate; expected a number.'],
    [
      'ts,rate\n1577836800000,0\n1577836800000,0\n',
      'Line 3 of FILE (2020-01-01T00:00:00.000Z) does not come after',
    ],
  ])('is refused with its place: %j', async (text, problem) => {
    const path = fileOf(text)
    await expect(readFundingFile(path)).rejects.toThrow(problem.replace('FILE', path))
  })

  it.skipIf(!hasShared('data', FUNDING))('of four real years is read whole', async () => {
    const { length, time, rate } = await readFundingFile(sharedPath('data', FUNDING))
    expect([length, time[0], rate[0]]).toEqual([4383, 1577836800000, -0.00012359])
  })
})
