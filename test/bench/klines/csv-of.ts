import { type KlineColumns, klineAt } from '../../../src/klines/kline-columns.ts'

/** Klines as CSV of this project. */
export function csvOf(klines: KlineColumns): string {
  const rows = Array.from({ length: klines.length }, (_, row) =>
    Object.values(klineAt(klines, row)).join(','),
  )
  return `idx,open,high,low,close,vol\n${rows.join('\n')}\n`
}
