import { parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import type { OrderRecord } from '../../src/web/history/order-record.ts'
import type { ShownTrip } from '../../src/web/history/trading-history.ts'
import { exportFile } from '../../src/web/sources/export-files.ts'

const TRIP: ShownTrip = {
  ...{ symbol: 'BTC/USDT', book: 'BTC/USDT#one', direction: 'long', quantity: '0.012 BTC', quote: 'USDT' },
  ...{ entryTime: Date.UTC(2026, 0, 1), entryPrice: '60000.10', exitTime: Date.UTC(2026, 0, 2) },
  ...{ exitPrice: '60100.20', pnl: '-1.234567890123456789', fees: '0.5' },
  ...{ entryReason: 'entry', exitReason: 'stopLoss' },
}
const FUTURES = 'BTC/USDT futures'
const CONTRACTS: ShownTrip = {
  ...TRIP,
  ...{ symbol: FUTURES, book: FUTURES, quantity: '1 contract', pnl: '3.5' },
}
const ORDER: OrderRecord = {
  ...{ clientOrderId: 'o1', symbol: 'BTC/USDT', strategy: 'one', side: 'buy', purpose: 'entry' },
  ...{ plan: 'market', quantity: '1,200.5 BTC', prices: [], decidedAt: 0, decision: 1, steps: [] },
  ...{ status: 'filled', filled: '1200.50000' },
  fills: [
    { time: 0, price: '60000.10', quantity: '1,200 BTC', fee: '0.0012 BNB', liquidity: 'taker' },
    { time: 1, price: '60000.20', quantity: '0.5 BTC', fee: '0.0005 BNB', liquidity: 'taker' },
  ],
}
const WAITING: OrderRecord = { ...ORDER, clientOrderId: 'o2', filled: '', fills: [] }
const LISTS = { trips: [TRIP, CONTRACTS], orders: { all: [ORDER, WAITING] } }

/** Rows of a list as a reader of Parquet has them, and the type of each column. */
async function parquetOf(list: string) {
  const content = exportFile(LISTS, `${list}.parquet`)?.content
  if (content === undefined || typeof content === 'string') throw new Error('There is no file.')
  const { buffer } = new Uint8Array(content)
  const { children } = parquetSchema(parquetMetadata(buffer))
  const types = Object.fromEntries(children.map(({ element }) => [element.name, element.type]))
  return { rows: await parquetReadObjects({ file: buffer }), types }
}

const sum = (values: readonly unknown[]) => values.reduce<number>((all, value) => all + Number(value), 0)

describe('Parquet of the window', () => {
  it('has quantities, prices and money of round trips as numbers, with the units beside them', async () => {
    const { rows, types } = await parquetOf('trips')
    const numbers = Object.keys(types).filter(name => types[name] === 'DOUBLE')
    expect(numbers).toEqual(['quantity', 'entryPrice', 'exitPrice', 'pnl', 'fees'])
    // -1.234567890123456789 and 3.5, to the digits of a double.
    expect(sum(rows.map(({ pnl }) => pnl))).toBeCloseTo(2.265432109876543, 14)
    expect(rows.map(({ quantity, unit }) => [quantity, unit])).toEqual([
      [0.012, 'BTC'],
      [1, 'contracts'],
    ])
    expect(rows[0]).toMatchObject({ entryPrice: 60_000.1, fees: 0.5, quote: 'USDT', exitReason: 'stopLoss' })
  })

  it('has those of orders and fills, and null for what is not known', async () => {
    const { rows, types } = await parquetOf('orders')
    expect([types.quantity, types.filled, types.status]).toEqual(['DOUBLE', 'DOUBLE', 'BYTE_ARRAY'])
    expect(rows.map(({ quantity, unit, filled }) => [quantity, unit, filled])).toEqual([
      [1200.5, 'BTC', 1200.5],
      [1200.5, 'BTC', null],
    ])
    const fills = await parquetOf('fills')
    expect(sum(fills.rows.map(({ quantity }) => quantity))).toBe(1200.5)
    expect(fills.rows.map(({ price, fee, feeAsset }) => [price, fee, feeAsset])).toEqual([
      [60_000.1, 0.0012, 'BNB'],
      [60_000.2, 0.0005, 'BNB'],
    ])
  })
})

describe('CSV of the window', () => {
  it('keeps every digit', () => {
    expect(String(exportFile(LISTS, 'trips.csv')?.content)).toBe(
      [
        'symbol,book,direction,quantity,entryTime,entryPrice,exitTime,exitPrice,pnl,fees,quote,entryReason,exitReason,tag',
        'BTC/USDT,BTC/USDT#one,long,0.012 BTC,2026-01-01T00:00:00.000Z,60000.10,2026-01-02T00:00:00.000Z,60100.20,-1.234567890123456789,0.5,USDT,entry,stopLoss,',
        'BTC/USDT futures,BTC/USDT futures,long,1 contract,2026-01-01T00:00:00.000Z,60000.10,2026-01-02T00:00:00.000Z,60100.20,3.5,0.5,USDT,entry,stopLoss,',
        '',
      ].join('\n'),
    )
  })
})
