import { constants } from 'node:os'
import { type Command, Option } from 'commander'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { onStopSignal } from '../bot/stop-signal.ts'
import { timeOption } from '../option-values.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'
import type { ArchiveDownloadOptions } from './archive-download.ts'
import type { ExchangeDownloadOptions } from './exchange-download.ts'
import { storeOption } from './store-options.ts'

/** Options of the download command. */
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

/** Downloads one symbol. */
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

/** Adds `klines download`. */
export function defineDownload(klines: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  klines
    .command('download')
    .description(
      'Fetch klines from an exchange or from the public archive of Binance into the store: what is absent there, as far as it has closed.',
    )
    .requiredOption(
      '--symbols, --symbol <symbols>',
      'BTC/USDT, or a futures contract such as E-BTC-USDT; several with commas',
    )
    .option('--interval <interval>', 'length of a kline, such as 1m or 1h')
    .option(
      '--from <time>',
      'first open time: an ISO date or time in UTC, or ms since 1970; without it as far back as the exchange has them',
      timeOption,
    )
    .option('--to <time>', 'end, not included; otherwise now', timeOption)
    .addOption(
      new Option('--source <source>', 'an exchange of the interface, or the public archive of Binance')
        .choices(['exchange', 'binance'])
        .default('exchange'),
    )
    .option('--spot-url <url>', 'the exchange; otherwise the one in the configuration')
    .option('--futures-url <url>', 'the futures host of the exchange, for contracts')
    .option('--config <file>', 'configuration of a bot whose venue is the exchange', 'config/paper.yaml')
    .addOption(
      new Option('--type <type>', 'what to fetch from the archive')
        .choices(['klines', 'trades', 'aggTrades', 'funding'])
        .default('klines'),
    )
    .option('--archive-url <url>', 'the archive, or a mirror of it', ARCHIVE_URL)
    .option('--venue <name>', 'folder of the store; otherwise the name of the host, or binance')
    .addOption(storeOption())
    .option('--again', 'fetch what is stored already too, and store what has changed', false)
    .option('--json', 'write JSON lines', false)
    .action(async (options: DownloadCommandOptions) => {
      onExitCode(await runDownload(options, streams))
    })
}

const ARCHIVE_URL = 'https://data.binance.vision'
