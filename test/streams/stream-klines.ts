import { closeTimeOf, type Interval, openTimeOf } from '../../src/domain/market-data/interval.ts'
import { type ClosedKline, closedKline } from '../../src/streams/closed-kline.ts'

/** A kline that stands still at `close`, the `index`th of its interval from 1970 on. */
export function klineAt(index: number, close: number, interval: Interval = '1m'): ClosedKline {
  let openTime = openTimeOf(0, interval)
  for (let before = 0; before < index; before++) openTime = closeTimeOf(openTime, interval)
  return closedKline({ openTime, open: close, high: close, low: close, close, volume: 1 }, interval)
}

/** Klines in a row, one for each close; a `-` is a kline that is missing. */
export function klinesAt(closes: readonly (number | '-')[], interval: Interval = '1m'): ClosedKline[] {
  return closes.flatMap((close, index) => (close === '-' ? [] : [klineAt(index, close, interval)]))
}
