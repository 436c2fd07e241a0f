import { utcText } from '../../src/domain/market-data/civil-date.ts'
import { closeTimeOf, type Interval, openTimeOf } from '../../src/domain/market-data/interval.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { DecimalSum } from '../../src/domain/numbers/decimal-sum.ts'
import { UsageError } from '../../src/domain/sluice-error.ts'
import { columnsFrom, type KlineColumns } from '../../src/klines/kline-columns.ts'
import type { TradeColumns } from '../../src/klines/store/table-layout.ts'

/**
 * The complete klines of trades: from the first open after the first trade, to the kline before that of the
 * last trade, since more trades may belong to the partial ones, or to the last that ends by `readUntil` (ms UTC), up to
 * which all trades are known. A kline without trades is flat at the price before and has no volume, as on exchanges.
 * Throws `UsageError` if there is no complete one.
 */
export function klinesOfTrades(
  { length, time, price, quantity }: TradeColumns,
  interval: Interval,
  readUntil = Number.NEGATIVE_INFINITY,
): KlineColumns {
  const klines: Kline[] = []
  const first = time[0] ?? Number.NaN
  let openTime = length === 0 ? Number.NaN : openTimeOf(first, interval)
  if (openTime < first) openTime = closeTimeOf(openTime, interval)
  let close = price[0] as number
  let row = 0
  while (row < length && (time[row] as number) < openTime) close = price[row++] as number // rows exist, here and below
  while (length > 0 && (row < length || closeTimeOf(openTime, interval) <= readUntil)) {
    const end = closeTimeOf(openTime, interval)
    const hasTrade = row < length && (time[row] as number) < end
    const open = hasTrade ? (price[row] as number) : close
    let [high, low] = [open, open]
    const volume = new DecimalSum()
    close = open
    for (; row < length && (time[row] as number) < end; row++) {
      close = price[row] as number
      high = Math.max(high, close)
      low = Math.min(low, close)
      volume.add(quantity[row] as number)
    }
    if (row < length || end <= readUntil)
      klines.push({ openTime, open, high, low, close, volume: volume.value })
    openTime = end
  }
  if (klines.length > 0) return columnsFrom(klines)
  throw new UsageError(
    `The trades, from ${utcText(first)} to ${utcText(time.at(-1) ?? Number.NaN)}, make no complete ${interval} kline; give more of them, or use a shorter interval.`,
  )
}
