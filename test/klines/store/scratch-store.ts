import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { KlineColumns } from '../../../src/klines/kline-columns.ts'
import { KlineStore } from '../../../src/klines/store/kline-store.ts'

/** One minute, ms. */
export const MINUTE = 60_000

/** A market for tests. */
export const BTC = { venue: 'here', symbol: 'BTC/USDT', interval: '1m' } as const

/** A folder of its own, gone after the test. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A store of its own with a series of minutes, gone after the test. */
export function scratchStore() {
  const folder = scratchFolder()
  const store = new KlineStore(folder)
  return { folder, store, series: store.klines(BTC) }
}

/** Possible klines that all differ, at these open times (ms UTC); another `shift`, other values. */
export function klinesOf(openTimes: readonly number[], shift = 0): KlineColumns {
  const column = (value: (time: number) => number) =>
    Float64Array.from(openTimes, time => value((time / MINUTE) % 1000) + shift)
  return {
    length: openTimes.length,
    openTime: Float64Array.from(openTimes),
    open: column(minute => 2000 + minute / 8),
    high: column(minute => 3000 + minute / 4),
    low: column(minute => 1000 + minute / 2),
    close: column(minute => 2500 - minute / 16),
    volume: column(minute => minute / 32),
  }
}

/** Open times one minute apart. */
export function minutes(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index * MINUTE)
}
