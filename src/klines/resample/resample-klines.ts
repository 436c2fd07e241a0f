import type { Kline } from '../../domain/market-data/kline.ts'
import { columnsFrom, type KlineColumns, klineAt } from '../kline-columns.ts'
import { KlineResampler, type ResampleCounts, type ResampleOptions } from './kline-resampler.ts'

/** Longer klines, and their counts. */
export interface ResampledKlines {
  readonly columns: KlineColumns
  readonly counts: ResampleCounts
}

/** Builds longer klines from ascending shorter ones (rules: see `KlineResampler`); throws `UsageError`. */
export function resampleKlines(columns: KlineColumns, options: ResampleOptions): ResampledKlines {
  const klines: Kline[] = []
  const resampler = new KlineResampler(options, kline => klines.push(kline))
  for (let row = 0; row < columns.length; row++) resampler.push(klineAt(columns, row))
  return { columns: columnsFrom(klines), counts: resampler.counts }
}
