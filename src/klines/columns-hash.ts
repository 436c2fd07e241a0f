import { createHash } from 'node:crypto'
import type { KlineColumns } from './kline-columns.ts'

/** SHA-256 of the columns, one after the other, hexadecimal. */
export function columnsHash({ openTime, open, high, low, close, volume }: KlineColumns): string {
  const hash = createHash('sha256')
  for (const column of [openTime, open, high, low, close, volume]) hash.update(column)
  return hash.digest('hex')
}
