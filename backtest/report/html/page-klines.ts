import { intervalMs } from '../../../src/domain/market-data/interval.ts'
import { type Grid, roundToTicks } from '../../../src/domain/numbers/grid.ts'
import { type KlineColumns, klineAt } from '../../../src/klines/kline-columns.ts'
import { DAY_MS } from '../../metrics/convention.ts'
import type { ReplayedMarket } from '../../metrics/market.ts'
import type { PageKlines } from '../page-data.ts'
import { spanLength } from './span-length.ts'

/** More klines than this are joined: a year of minutes stays as it is, and a page below some megabytes. */
export const MOST_KLINES = 600_000

/** Klines by column; prices are doubles as everywhere, or already ticks. */
type Columns = KlineColumns

/** What is drawn of a market; of its instrument the grid counts. */
export interface DrawnMarket extends Pick<ReplayedMarket, 'interval' | 'klines'> {
  readonly instrument: Grid
}

/** The klines of a market for a page, at most `most`. */
export function pageKlines(
  { instrument, interval, klines }: DrawnMarket,
  most: number = MOST_KLINES,
): PageKlines {
  const { originalSeconds, seconds, shown } = shownKlines({ interval, klines }, most)
  const inTicks = (prices: Float64Array) => prices.map(price => roundToTicks(instrument, price, 'nearest'))
  const [open, close] = [inTicks(shown.open), inTicks(shown.close)]
  const [high, low] = [inTicks(shown.high), inTicks(shown.low)]
  const unit = interval === '1M' ? DAY_MS / 1000 : seconds
  return {
    seconds,
    originalSeconds,
    unit,
    start: (shown.openTime[0] ?? 0) / 1000,
    ...differences(
      { length: shown.length, openTime: shown.openTime, open, high, low, close, volume: shown.volume },
      unit * 1000,
    ),
  }
}

/** The klines of a market that a page shows, joined where they are more than `most`; lengths in seconds. */
export function shownKlines(
  { interval, klines }: Pick<ReplayedMarket, 'interval' | 'klines'>,
  most: number,
): { readonly originalSeconds: number; readonly seconds: number; readonly shown: KlineColumns } {
  const originalSeconds = intervalMs(interval) / 1000
  const { length } = klines
  const duration =
    length === 0 ? 0 : (klineAt(klines, length - 1).openTime - klineAt(klines, 0).openTime) / 1000
  const seconds = length <= most ? originalSeconds : spanLength(originalSeconds, duration, most - 1)
  return {
    originalSeconds,
    seconds,
    shown: seconds === originalSeconds ? klines : joined(klines, seconds * 1000),
  }
}

function differences(
  { length, openTime, open, high, low, close, volume }: Columns,
  unitMs: number,
): Pick<PageKlines, 'steps' | 'open' | 'high' | 'low' | 'close' | 'volume'> {
  const column = (valueAt: (row: number) => number) => Array.from({ length }, (_, row) => valueAt(row))
  const at = (values: Float64Array, row: number) => values[row] as number // rows are inside the bounds
  return {
    steps: column(row => (row === 0 ? 0 : Math.round((at(openTime, row) - at(openTime, row - 1)) / unitMs))),
    open: column(row => at(open, row) - (row === 0 ? 0 : at(close, row - 1))),
    high: column(row => at(high, row) - Math.max(at(open, row), at(close, row))),
    low: column(row => Math.min(at(open, row), at(close, row)) - at(low, row)),
    close: column(row => at(close, row) - at(open, row)),
    volume: column(row => Number(at(volume, row).toPrecision(4))),
  }
}

/** Joins klines that open within the same span of `lengthMs`. */
function joined({ length, openTime, open, high, low, close, volume }: Columns, lengthMs: number): Columns {
  const columns: Record<keyof Omit<Columns, 'length'>, number[]> = {
    openTime: [],
    open: [],
    high: [],
    low: [],
    close: [],
    volume: [],
  }
  let last = -1
  for (let row = 0; row < length; row++) {
    const start = Math.floor((openTime[row] as number) / lengthMs) * lengthMs // inside the bounds, as below
    if (start !== columns.openTime[last]) {
      last++
      columns.openTime.push(start)
      columns.open.push(open[row] as number)
      columns.high.push(high[row] as number)
      columns.low.push(low[row] as number)
      columns.close.push(close[row] as number)
      columns.volume.push(volume[row] as number)
      continue
    }
    columns.high[last] = Math.max(columns.high[last] as number, high[row] as number)
    columns.low[last] = Math.min(columns.low[last] as number, low[row] as number)
    columns.close[last] = close[row] as number
    columns.volume[last] = (columns.volume[last] as number) + (volume[row] as number)
  }
  return {
    length: columns.openTime.length,
    openTime: Float64Array.from(columns.openTime),
    open: Float64Array.from(columns.open),
    high: Float64Array.from(columns.high),
    low: Float64Array.from(columns.low),
    close: Float64Array.from(columns.close),
    volume: Float64Array.from(columns.volume),
  }
}
