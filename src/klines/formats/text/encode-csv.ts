import type { KlineColumns } from '../../kline-columns.ts'
import { KLINE_ROWS } from '../layouts/kline-layouts.ts'
import { headerOf } from '../layouts/row-layout.ts'

/** Rows that are converted to text at a time. */
const BLOCK = 8192

/** Klines as CSV, with a header: times in ms, and the shortest text that gives the same double. */
export function encodeCsv(columns: KlineColumns): Uint8Array {
  const blocks = [Buffer.from(`${headerOf(KLINE_ROWS)}\n`)]
  for (let start = 0; start < columns.length; start += BLOCK) {
    const end = Math.min(start + BLOCK, columns.length)
    blocks.push(Buffer.from(textOf(columns, start, end)))
  }
  return Buffer.concat(blocks)
}

function textOf(
  { openTime, open, high, low, close, volume }: KlineColumns,
  start: number,
  end: number,
): string {
  let text = ''
  for (let row = start; row < end; row++) {
    text += `${openTime[row]},${open[row]},${high[row]},${low[row]},${close[row]},${volume[row]}\n`
  }
  return text
}
