import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readStoredKlines } from '../../src/cli/stored-klines.ts'
import { type Interval, intervalMs } from '../../src/domain/market-data/interval.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { columnsFrom, klinesIn } from '../../src/klines/kline-columns.ts'
import { KlineStore } from '../../src/klines/store/kline-store.ts'

const HOUR = 3_600_000
const START = Date.UTC(2024, 0, 1)

/** Klines of which each says its number. */
const klinesOf = (interval: Interval, count: number): Kline[] =>
  Array.from({ length: count }, (_, index) => ({
    openTime: START + index * intervalMs(interval),
    open: 100 + index,
    high: 200 + index,
    low: 50 - index / 100,
    close: 101 + index,
    volume: 1,
  }))

async function storeWith(series: Readonly<Partial<Record<Interval, readonly Kline[]>>>): Promise<string> {
  const store = mkdtempSync(join(tmpdir(), 'sluice-store-'))
  onTestFinished(() => rmSync(store, { recursive: true }))
  for (const [interval, klines] of Object.entries(series) as [Interval, readonly Kline[]][]) {
    using writer = await new KlineStore(store)
      .klines({ venue: 'here', symbol: 'BTC/USDT', interval })
      .openWriter()
    writer.merge(columnsFrom(klines), 'by hand')
  }
  return store
}

const ASKED = { symbol: 'BTC/USDT', interval: '2h', allowsLess: false } as const

it('makes klines that the store lacks of the longest that divide them, for the span that is asked for', async () => {
  const store = await storeWith({
    '1m': klinesOf('1m', 60),
    '30m': klinesOf('30m', 4),
    '1h': klinesOf('1h', 9),
  })
  const span = { from: START + 1 * HOUR, to: START + 7 * HOUR }
  const { columns, name, resampled } = readStoredKlines({ ...ASKED, store, ...span })
  expect(name).toBe('BTC/USDT 1h of here as 2h')
  expect(resampled).toEqual({ from: 'BTC/USDT 1h of here', to: '2h' })
  // The klines of 02:00, 04:00 and 06:00, each of two hours.
  expect(klinesIn(columns)).toEqual([
    { openTime: START + 2 * HOUR, open: 102, high: 203, low: 49.97, close: 104, volume: 2 },
    { openTime: START + 4 * HOUR, open: 104, high: 205, low: 49.95, close: 106, volume: 2 },
    { openTime: START + 6 * HOUR, open: 106, high: 207, low: 49.93, close: 108, volume: 2 },
  ])
})

it('leaves a kline out that lacks a part', async () => {
  const hours = klinesOf('1h', 6).filter(({ openTime }) => openTime !== START + 3 * HOUR)
  const store = await storeWith({ '1h': hours })
  const { columns } = readStoredKlines({ ...ASKED, store })
  expect(klinesIn(columns).map(({ openTime }) => (openTime - START) / HOUR)).toEqual([0, 4])
})

it('takes those of the interval where the store has them', async () => {
  const store = await storeWith({ '1h': klinesOf('1h', 8), '2h': klinesOf('2h', 2) })
  const { columns, name } = readStoredKlines({ ...ASKED, store, venue: 'here' })
  expect([columns.length, name]).toEqual([2, 'BTC/USDT 2h of here'])
})

it('names what there is where nothing divides them', async () => {
  const store = await storeWith({ '8h': klinesOf('8h', 3) })
  expect(() => readStoredKlines({ ...ASKED, interval: '12h', store })).toThrow(
    `The store ${store} has no BTC/USDT 12h; it has 8h of here.`,
  )
  expect(readStoredKlines({ ...ASKED, interval: '1d', store }).columns.length).toBe(1)
})
