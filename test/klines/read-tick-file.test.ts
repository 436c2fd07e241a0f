import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readTopOfBookFile, readTradeFile } from '../../src/klines/read-tick-file.ts'
import { hasShared, sharedPath } from '../shared-data.ts'

const TRADES = 'local_ns,exch_ms,trade_id,price,qty,buyer_is_maker\n'
const TOPS = 'local_ns,exch_ms,update_id,bid,bid_qty,ask,ask_qty\n'
const DAY = ['data', 'hftbacktest-binanceusdm-btcusdt-20240808-trades.csv.gz']

function fileOf(text: string | Buffer): string {
  const path = join(mkdtempSync(join(tmpdir(), 'ticks-')), 'ticks.csv')
  writeFileSync(path, text)
  return path
}

describe('a file of recorded trades', () => {
  it('is read at the times of the exchange, its sides those of the takers', () => {
    const text = `${TRADES}1723161255088176367,1723161256322,5,61800.30,0.006,0\n1,1723161256322,6,61800.2,1,1\n`
    const trades = [
      { time: 1_723_161_256_322, price: 61_800.3, quantity: 0.006, side: 'buy' },
      { time: 1_723_161_256_322, price: 61_800.2, quantity: 1, side: 'sell' },
    ]
    expect(readTradeFile(fileOf(text))).toEqual(trades)
    expect(readTradeFile(fileOf(gzipSync(text.replaceAll('\n', '\r\n'))))).toEqual(trades)
  })

  it.each([
    [`${TRADES}1,2,3,4,5\n`, 'Line 2 of'],
    [`${TRADES}1,2,3,4,5,0\n1,2,3,x,5,0\n`, 'Line 3 of'],
    [`${TRADES}1,2,3,4,5,0\n1,1,3,4,5,0\n`, 'Line 3 of'],
    [TRADES, 'has no rows'],
  ])('that is wrong is refused with its place: %j', (text, message) => {
    expect(() => readTradeFile(fileOf(text))).toThrow(message)
  })

  it('that is missing is refused', () => {
    expect(() => readTradeFile('/none.csv')).toThrow('The trade file /none.csv does not exist')
  })

  it.skipIf(!hasShared(...DAY))('of six real minutes is read whole', () => {
    const trades = readTradeFile(sharedPath(...DAY))
    expect(trades).toHaveLength(21_313)
    expect(trades[0]).toEqual({ time: 1_723_161_256_322, price: 61_800.3, quantity: 0.006, side: 'buy' })
  })
})

describe('a file of best bids and asks', () => {
  it('is read at the times of the exchange', () => {
    expect(readTopOfBookFile(fileOf(`${TOPS}9,10,11,99.5,2,100,3.25\n`))).toEqual([
      { time: 10, bid: 99.5, bidQuantity: 2, ask: 100, askQuantity: 3.25 },
    ])
  })
})
