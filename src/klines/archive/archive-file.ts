import { civilDateOf, dayNumberOf, utcText } from '../../domain/market-data/civil-date.ts'
import type { Interval } from '../../domain/market-data/interval.ts'

/** A series of Binance's public archive, by the names of the archive. */
export interface ArchiveSeries {
  readonly market: 'spot' | 'futures/um'
  readonly type: 'klines' | 'trades' | 'aggTrades' | 'fundingRate'
  /** `BTCUSDT`. */
  readonly symbol: string
  /** Interval of klines. */
  readonly interval?: Interval
}

/** One file of the archive, with the times of its rows. */
export interface ArchiveFile {
  /** `BTCUSDT-1m-2024-01.zip`. */
  readonly name: string
  /** Path below the URL of the archive. */
  readonly path: string
  /** First time, ms UTC. */
  readonly from: number
  /** End of the times (not included), ms UTC. */
  readonly to: number
}

/** A month of a series, as the archive publishes it. */
export interface ArchiveMonth {
  readonly month: ArchiveFile
  readonly days: readonly ArchiveFile[]
}

const DAY_MS = 86_400_000

/** The months that touch a span (ms UTC, `to` not included), each with those of its days that do. */
export function archiveMonths(
  series: ArchiveSeries,
  { from, to }: { readonly from: number; readonly to: number },
): readonly ArchiveMonth[] {
  const months: ArchiveMonth[] = []
  for (let start = monthOf(from, 0); start < to; start = monthOf(start, 1)) {
    const month = fileOf(series, 'monthly', { from: start, to: monthOf(start, 1) })
    const days: ArchiveFile[] = []
    for (let day = month.from; day < month.to; day += DAY_MS) {
      if (day + DAY_MS > from && day < to) days.push(fileOf(series, 'daily', { from: day, to: day + DAY_MS }))
    }
    months.push({ month, days })
  }
  return months
}

function fileOf(
  { market, type, symbol, interval }: ArchiveSeries,
  per: 'monthly' | 'daily',
  span: { readonly from: number; readonly to: number },
): ArchiveFile {
  // The archive has a folder 1mo, because some file systems do not distinguish 1m and 1M.
  const length = interval === '1M' ? '1mo' : interval
  const folder = length === undefined ? symbol : `${symbol}/${length}`
  const date = utcText(span.from).slice(0, per === 'monthly' ? 7 : 10)
  const name = `${symbol}-${length ?? type}-${date}.zip`
  return { name, path: `data/${market}/${per}/${type}/${folder}/${name}`, ...span }
}

/** Start of the UTC month `offset` months after the month of `time`. */
function monthOf(time: number, offset: number): number {
  const { year, month } = civilDateOf(Math.floor(time / DAY_MS))
  const months = year * 12 + (month - 1) + offset
  return dayNumberOf({ year: Math.floor(months / 12), month: (months % 12) + 1, day: 1 }) * DAY_MS
}
