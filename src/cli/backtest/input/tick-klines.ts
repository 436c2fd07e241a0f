import { klinesOfTrades } from '../../../../backtest/ticks/klines-of-trades.ts'
import type { Interval } from '../../../domain/market-data/interval.ts'
import type { Kline } from '../../../domain/market-data/kline.ts'
import { columnsFrom, type KlineColumns, klinesIn } from '../../../klines/kline-columns.ts'
import type { RecordedTicks } from '../../../klines/record/recorded-ticks.ts'
import { resampleKlines } from '../../../klines/resample/resample-klines.ts'

const MINUTE = '1m'

/**
 * Klines of recorded trades, up to the last read. The minutes of gaps, of which trades are missing, are those of the host.
 * Throws `UsageError` if there is no complete kline.
 */
export function klinesOfTicks(
  { trades, books }: RecordedTicks,
  interval: Interval,
  minutes: readonly Kline[],
): KlineColumns {
  // The read of trades that follows a read of the book is over when the book is read again.
  const readUntil = (books?.arrival?.ms ?? []).at(-2)
  if (minutes.length === 0) return klinesOfTrades(trades, interval, readUntil)
  const known = new Map(minutes.map(minute => [minute.openTime, minute]))
  const traded = klinesIn(klinesOfTrades(trades, MINUTE, readUntil))
  return lengthened(columnsFrom(traded.map(kline => known.get(kline.openTime) ?? kline)), interval)
}

/** Klines of a market without public trades, of the minutes that its host told. */
export function klinesOfMinutes(minutes: readonly Kline[], interval: Interval): KlineColumns {
  const known = new Map(minutes.map(minute => [minute.openTime, minute]))
  const ascending = [...known.values()].toSorted((left, right) => left.openTime - right.openTime)
  return lengthened(columnsFrom(ascending), interval)
}

function lengthened(minutes: KlineColumns, interval: Interval): KlineColumns {
  if (interval === MINUTE) return minutes
  return resampleKlines(minutes, { from: MINUTE, to: interval, incomplete: 'drop' }).columns
}
