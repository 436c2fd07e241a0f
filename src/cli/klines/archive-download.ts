import { utcText } from '../../domain/market-data/civil-date.ts'
import type { Interval } from '../../domain/market-data/interval.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { createSystemClock } from '../../exchange/clock/system-clock.ts'
import type { ArchiveSeries } from '../../klines/archive/archive-file.ts'
import { ArchiveHost } from '../../klines/archive/archive-host.ts'
import {
  type ArchiveRows,
  archiveFunding,
  archiveKlines,
  archiveTrades,
} from '../../klines/archive/archive-rows.ts'
import {
  type ArchiveResult,
  type ArchiveSpan,
  downloadArchive,
} from '../../klines/archive/download-archive.ts'
import { KlineStore } from '../../klines/store/kline-store.ts'
import { seriesText } from '../../klines/store/series-name.ts'
import { type Progress, progressBar } from '../progress-bar.ts'
import type { OutputStreams } from '../streams.ts'
import { changesText } from './download-report.ts'
import { requiredInterval } from './required-interval.ts'

/** Options of a download from the archive. */
export interface ArchiveDownloadOptions {
  readonly symbol: string
  readonly type: 'klines' | 'trades' | 'aggTrades' | 'funding'
  /** Needed for klines. */
  readonly interval?: string
  /** First time, ms UTC. */
  readonly from: number
  /** End of the times (not included), ms UTC; default: now. */
  readonly to?: number
  readonly archiveUrl: string
  readonly venue?: string
  readonly store: string
  readonly json: boolean
}

/**
 * Downloads one series of Binance's archive into the store, and reports what the archive lacks. Rejects with
 * `UsageError`, or with `ArchiveError` if the archive cannot be read; what was stored before stays.
 */
export async function downloadFromArchive(
  options: ArchiveDownloadOptions,
  streams: OutputStreams,
  signal: AbortSignal,
): Promise<void> {
  const interval = intervalFor(options)
  const series = archiveSeriesOf(options, interval)
  const store = new KlineStore(options.store)
  const market = { venue: options.venue ?? venueOf(options.type), symbol: options.symbol }
  const parts = { options, series, streams, signal }
  if (interval !== undefined) return download(parts, archiveKlines(store, { ...market, interval }))
  return series.type === 'fundingRate'
    ? download(parts, archiveFunding(store, market))
    : download(parts, archiveTrades(store, market))
}

interface Parts {
  readonly options: ArchiveDownloadOptions
  readonly series: ArchiveSeries
  readonly streams: OutputStreams
  readonly signal: AbortSignal
}

async function download<Name extends string>(
  { options, series, streams: { out, err }, signal }: Parts,
  rows: ArchiveRows<Name>,
): Promise<void> {
  const now = createSystemClock().now()
  const span = { from: options.from, to: Math.min(options.to ?? now, now) }
  await using host = new ArchiveHost({ url: options.archiveUrl, signal })
  let progress: Progress | undefined
  const result = await downloadArchive({
    ...rows,
    ...span,
    series,
    host,
    onPlan: async months => {
      progress = await progressBar(err, months, { unit: 'months' })
    },
    onMonth: over => progress?.update(over),
    onStored: ({ name }) => {
      if (options.json) out.write(`${JSON.stringify({ stored: name })}\n`)
    },
  }).finally(() => progress?.stop())
  if (isAllOf(result.absent, span)) throw nothingOf(series, options.archiveUrl, span)
  out.write(
    options.json
      ? `${JSON.stringify({ ...rows.target.name, ...span, ...result })}\n`
      : reportText(rows, span, result),
  )
}

/** True if spans that do not touch are one span. */
function isAllOf([absent]: ArchiveResult['absent'], { from, to }: ArchiveSpan): boolean {
  return absent?.from === from && absent.to === to
}

function reportText<Name extends string>(
  { target: { name, folder } }: ArchiveRows<Name>,
  { from, to }: ArchiveSpan,
  { absent, ...counts }: ArchiveResult,
): string {
  const stored = `${seriesText(name)} from ${utcText(from)} to ${utcText(to)} in ${folder}: ${changesText(counts)}.\n`
  const gaps = absent.map(
    gap =>
      `The archive has no file for ${utcText(gap.from)} to ${utcText(gap.to)}${isLate(gap) ? ', which may not be published yet' : ''}.\n`,
  )
  return [stored, ...gaps].join('')
}

/** A day is published once it is over, and funding once its month is. */
function isLate({ to }: ArchiveSpan): boolean {
  return createSystemClock().now() - to < LATE_MS
}

const LATE_MS = 3 * 86_400_000

function nothingOf(
  { market, type, symbol }: ArchiveSeries,
  url: string,
  { from, to }: ArchiveSpan,
): UsageError {
  return new UsageError(
    `The archive ${url} has no ${market} ${type} of ${symbol} from ${utcText(from)} to ${utcText(to)}; check the symbol and the times.`,
  )
}

function intervalFor({ type, interval }: ArchiveDownloadOptions): Interval | undefined {
  if (type === 'klines') return requiredInterval(interval)
  if (interval === undefined) return undefined
  throw new UsageError(`--interval is the length of klines; leave it out for ${type}.`)
}

/** Names of the archive: BTC/USDT is BTCUSDT on spot, and E-BTC-USDT is BTCUSDT among the USD-M contracts. */
function archiveSeriesOf(
  { symbol, type }: ArchiveDownloadOptions,
  interval: Interval | undefined,
): ArchiveSeries {
  const isSpot = symbol.includes('/')
  if (isSpot && type === 'funding')
    throw new UsageError(
      `${symbol} is traded on spot, which has no funding; name a contract, such as E-BTC-USDT.`,
    )
  const [base = '', quote = ''] = isSpot ? symbol.split('/') : symbol.split('-').slice(-2)
  return {
    market: isSpot ? 'spot' : 'futures/um',
    type: type === 'funding' ? 'fundingRate' : type,
    symbol: `${base}${quote}`,
    ...(interval !== undefined && { interval }),
  }
}

/** Aggregate trades have ids of their own, so they must not meet trades in one series. */
function venueOf(type: ArchiveDownloadOptions['type']): string {
  return type === 'aggTrades' ? 'binance-aggregates' : 'binance'
}
