import { constants } from 'node:os'
import type { Command } from 'commander'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { type Interval, intervalOf } from '../../domain/market-data/interval.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { checkInterval } from '../../klines/check-interval.ts'
import { downloadKlines } from '../../klines/download/download-klines.ts'
import type { TimeSpan } from '../../klines/slice-klines.ts'
import { KlineStore } from '../../klines/store/kline-store.ts'
import type { MergeCounts } from '../../klines/store/merge-columns.ts'
import { seriesText } from '../../klines/store/series-name.ts'
import type { StoredSeries } from '../../klines/store/stored-series.ts'
import type { KlineName } from '../../klines/store/table-layout.ts'
import { onStopSignal } from '../bot/stop-signal.ts'
import { timeOption } from '../option-values.ts'
import { type Progress, progressBar } from '../progress-bar.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'
import { type DownloadSource, openDownloadSource } from './download-source.ts'
import { storeOption } from './store-options.ts'

/** Options of the download command. */
export interface DownloadCommandOptions {
  readonly symbol: string
  readonly interval: string
  /** First open time, ms UTC. */
  readonly from: number
  /** End of the open times (not included), ms UTC; default: now. */
  readonly to?: number
  readonly spotUrl?: string
  readonly futuresUrl?: string
  readonly config: string
  readonly venue?: string
  readonly store: string
  readonly again: boolean
  readonly json: boolean
}

/**
 * Downloads until everything is stored, a signal or an error; resolves to the exit code: 130 after Ctrl-C.
 */
export async function runDownload(options: DownloadCommandOptions, streams: OutputStreams): Promise<number> {
  const interval = intervalOf(options.interval)
  const { symbol, from, to } = options
  if (to !== undefined && to <= from) {
    throw new UsageError(
      `There is nothing from ${utcText(from)} to ${utcText(to)}; give a --to after --from.`,
    )
  }
  const source = openDownloadSource({ ...options, interval })
  const stop = new AbortController()
  const forgetSignal = onStopSignal(name => stop.abort(name))
  try {
    const series = new KlineStore(options.store).klines({
      venue: options.venue ?? source.venue,
      symbol,
      interval,
    })
    return await download({ options, interval, series, source, signal: stop.signal }, streams)
  } catch (error) {
    if (!stop.signal.aborted) throw error
    streams.err.write('Stopped. The fetched klines are stored, and the same command continues from there.\n')
    return 128 + exitNumberOf(stop.signal.reason)
  } finally {
    forgetSignal()
    await source.close()
  }
}

interface DownloadParts {
  readonly options: DownloadCommandOptions
  readonly interval: Interval
  readonly series: StoredSeries<KlineName>
  readonly source: DownloadSource
  readonly signal: AbortSignal
}

async function download(parts: DownloadParts, { out, err }: OutputStreams): Promise<number> {
  const { options, interval, series, source, signal } = parts
  const now = await source.now()
  const span = { from: options.from, to: options.to ?? now }
  let progress: Progress | undefined
  try {
    const counts = await downloadKlines({
      series,
      interval,
      ...span,
      now,
      again: options.again,
      source: source.description,
      read: (from, to) => source.read(from, to, signal),
      onPlan: async klines => {
        progress = await progressBar(err, klines, { showsRate: true })
      },
      onRead: klines => progress?.update(klines),
      onStored: storedUntil => {
        if (options.json) out.write(`${JSON.stringify({ storedUntil })}\n`)
      },
    })
    progress?.stop()
    out.write(options.json ? summaryJson(parts, span, counts) : summaryText(parts, span, counts))
    return 0
  } finally {
    progress?.stop()
  }
}

type Span = Required<TimeSpan>

type Stored = Pick<DownloadParts, 'series' | 'interval'>

function summaryJson(stored: Stored, span: Span, counts: MergeCounts): string {
  const { klines, gaps, missing } = presence(stored, span)
  return `${JSON.stringify({ ...stored.series.name, ...span, ...counts, klines, gaps, missing })}\n`
}

function summaryText(stored: Stored, span: Span, { added, revised }: MergeCounts): string {
  const { klines, gaps, missing } = presence(stored, span)
  const { name, folder } = stored.series
  const changes = revised === 0 ? `${added} new` : `${added} new, ${revised} revised`
  const lack =
    gaps === 0 ? '' : `; ${missing} are absent at the exchange, in ${gaps} ${gaps === 1 ? 'gap' : 'gaps'}`
  return `${seriesText(name)} from ${utcText(span.from)} to ${utcText(span.to)}: ${klines} klines in ${folder} (${changes})${lack}.\n`
}

/** Number of stored klines between two times, with their gaps. */
function presence({ series, interval }: Stored, span: Span) {
  const klines = series.read(span)
  const { count, missing } = checkInterval(klines, interval)
  return { klines: klines.length, gaps: count, missing }
}

function exitNumberOf(signalName: unknown): number {
  if (signalName === 'SIGHUP') return constants.signals.SIGHUP
  return signalName === 'SIGTERM' ? constants.signals.SIGTERM : constants.signals.SIGINT
}

/** Adds `klines download`. */
export function defineDownload(klines: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  klines
    .command('download')
    .description(
      'Fetch klines from an exchange into the store: what is absent there, as far as it has closed.',
    )
    .requiredOption('--symbol <symbol>', 'BTC/USDT, or a futures contract such as E-BTC-USDT')
    .requiredOption('--interval <interval>', 'length of a kline, such as 1m or 1h')
    .requiredOption(
      '--from <time>',
      'first open time: an ISO date or time in UTC, or ms since 1970',
      timeOption,
    )
    .option('--to <time>', 'end, not included; otherwise now', timeOption)
    .option('--spot-url <url>', 'the exchange; otherwise the one in the configuration')
    .option('--futures-url <url>', 'the futures host of the exchange, for contracts')
    .option('--config <file>', 'configuration of a bot whose venue is the exchange', 'config/paper.yaml')
    .option('--venue <name>', 'folder of the store; otherwise the name of the host')
    .addOption(storeOption())
    .option('--again', 'fetch what is stored already too, and store what has changed', false)
    .option('--json', 'write JSON lines', false)
    .action(async (options: DownloadCommandOptions) => {
      onExitCode(await runDownload(options, streams))
    })
}
