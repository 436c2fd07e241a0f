import { constants } from 'node:os'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { onStopSignal } from '../bot/stop-signal.ts'
import type { OutputStreams } from '../streams.ts'
import type { ArchiveDownloadOptions } from './archive-download.ts'
import type { ExchangeDownloadOptions } from './exchange-download.ts'

export interface DownloadCommandOptions
  extends ExchangeDownloadOptions,
    Omit<ArchiveDownloadOptions, 'from'> {
  /** One symbol, or several separated by commas. */
  readonly symbol: string
  readonly source: 'exchange' | 'binance'
}

/**
 * Downloads until everything is stored, a signal or an error, one symbol after the other; resolves to the exit
 * code: 130 after Ctrl-C.
 */
export async function runDownload(options: DownloadCommandOptions, streams: OutputStreams): Promise<number> {
  const { from, to } = options
  if (from !== undefined && to !== undefined && to <= from) {
    throw new UsageError(
      `There is nothing from ${utcText(from)} to ${utcText(to)}; give a --to after --from.`,
    )
  }
  const stop = new AbortController()
  const forgetSignal = onStopSignal(name => stop.abort(name))
  try {
    const download = await downloadOf(options)
    for (const symbol of options.symbol.split(',')) await download(symbol, streams, stop.signal)
    return 0
  } catch (error) {
    if (!stop.signal.aborted) throw error
    streams.err.write('Stopped. The fetched klines are stored, and the same command continues from there.\n')
    return 128 + exitNumberOf(stop.signal.reason)
  } finally {
    forgetSignal()
  }
}

type Download = (symbol: string, streams: OutputStreams, signal: AbortSignal) => Promise<void>

async function downloadOf({ source, ...options }: DownloadCommandOptions): Promise<Download> {
  if (source === 'binance') {
    const { downloadFromArchive } = await import('./archive-download.ts')
    const { from } = options
    if (from === undefined)
      throw new UsageError('The archive needs a first day; give it with --from, such as --from 2024-01-01.')
    return (symbol, streams, signal) => downloadFromArchive({ ...options, from, symbol }, streams, signal)
  }
  if (options.type !== 'klines') {
    throw new UsageError(
      `An exchange lists no past ${options.type}; record them from now on with npm run record, or take --source binance.`,
    )
  }
  const { downloadFromExchange } = await import('./exchange-download.ts')
  return (symbol, streams, signal) => downloadFromExchange({ ...options, symbol }, streams, signal)
}

function exitNumberOf(signalName: unknown): number {
  if (signalName === 'SIGHUP') return constants.signals.SIGHUP
  return signalName === 'SIGTERM' ? constants.signals.SIGTERM : constants.signals.SIGINT
}
