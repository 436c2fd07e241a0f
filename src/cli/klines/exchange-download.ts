import type { Interval } from '../../domain/market-data/interval.ts'
import { downloadKlines } from '../../klines/download/download-klines.ts'
import { earliestKline } from '../../klines/download/earliest-kline.ts'
import { KlineStore } from '../../klines/store/kline-store.ts'
import type { StoredSeries } from '../../klines/store/stored-series.ts'
import type { KlineName } from '../../klines/store/table-layout.ts'
import { type Progress, progressBar } from '../progress-bar.ts'
import type { OutputStreams } from '../streams.ts'
import { downloadReport, reachText } from './download-report.ts'
import { type DownloadSource, type DownloadSourceOptions, openDownloadSource } from './download-source.ts'
import { requiredInterval } from './required-interval.ts'

/** Options of a download from an exchange. */
export interface ExchangeDownloadOptions extends Omit<DownloadSourceOptions, 'interval'> {
  /** Needed. */
  readonly interval?: string
  /** First open time, ms UTC; default: the first kline that the exchange has. */
  readonly from?: number
  /** End of the open times (not included), ms UTC; default: now. */
  readonly to?: number
  readonly venue?: string
  readonly store: string
  readonly again: boolean
  readonly json: boolean
}

/** Downloads the klines of one symbol, and says how far back the exchange has them; rejects when `signal` aborts. */
export async function downloadFromExchange(
  options: ExchangeDownloadOptions,
  streams: OutputStreams,
  signal: AbortSignal,
): Promise<void> {
  const { symbol, store, venue } = options
  const interval = requiredInterval(options.interval)
  const source = await openDownloadSource({ ...options, interval })
  try {
    const series = new KlineStore(store).klines({ venue: venue ?? source.venue, symbol, interval })
    await download({ options, interval, series, source, signal }, streams)
  } finally {
    await source.close()
  }
}

interface DownloadParts {
  readonly options: ExchangeDownloadOptions
  readonly interval: Interval
  readonly series: StoredSeries<KlineName>
  readonly source: DownloadSource
  readonly signal: AbortSignal
}

async function download(parts: DownloadParts, { out, err }: OutputStreams): Promise<void> {
  const { options, interval, series, source, signal } = parts
  const now = await source.now()
  const to = options.to ?? now
  const from = options.from ?? (await reach(parts, to))
  let progress: Progress | undefined
  const counts = await downloadKlines({
    series,
    interval,
    from,
    to,
    now,
    again: options.again,
    source: source.description,
    read: (first, last) => source.read(first, last, signal),
    onPlan: async klines => {
      progress = await progressBar(err, klines, { showsRate: true })
    },
    onRead: klines => progress?.update(klines),
    onStored: storedUntil => {
      if (options.json) out.write(`${JSON.stringify({ storedUntil })}\n`)
    },
  }).finally(() => progress?.stop())
  const downloaded = { series, interval, span: { from, to }, counts }
  out.write(downloadReport(downloaded, options.json))
  if (!options.json) out.write(reachText(downloaded, options.from))
}

async function reach({ source, interval, signal, options }: DownloadParts, to: number): Promise<number> {
  const earliest = await earliestKline({
    interval,
    to,
    page: (first, last) => {
      signal.throwIfAborted()
      return source.page(first, last)
    },
  })
  if (earliest === undefined) throw source.nothingOf(options.symbol)
  return earliest
}
