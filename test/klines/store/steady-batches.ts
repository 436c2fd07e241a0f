import type { KlineColumns } from '../../../src/klines/kline-columns.ts'

/** The series that `steady-writer.ts` fills. */
export const SERIES = { venue: 'here', symbol: 'BTC/USDT', interval: '1m' } as const
/** Klines of a batch. */
export const BATCH = 5000

const START = Date.UTC(2024, 0, 1)

/** The klines of one of its batches; every ninth or so crosses into another month. */
export function klinesOfBatch(batch: number): KlineColumns {
  return klinesFrom(batch * BATCH, BATCH)
}

/** So many of its klines, from one on. */
export function klinesFrom(first: number, count: number): KlineColumns {
  const column = (base: number) =>
    Float64Array.from({ length: count }, (_, row) => base + (first + row) / 1e7)
  return {
    length: count,
    openTime: Float64Array.from({ length: count }, (_, row) => START + (first + row) * 60_000),
    open: column(100),
    high: column(300),
    low: column(1),
    close: column(200),
    volume: column(0),
  }
}
