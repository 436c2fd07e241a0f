import { requireFiner } from '../../../backtest/fills/detail-klines.ts'
import type { DataSource } from '../../../backtest/manifest/manifest.ts'
import type { BacktestOptions } from '../../../backtest/run/backtest-options.ts'
import { requireDecisions } from '../../../backtest/validation/warm-up/require-decisions.ts'
import { type ConfiguredPlace, checkParameters } from '../../bot/start/check-parameters.ts'
import { type BacktestConfig, openingBalances } from '../../config/backtest-config.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { type Interval, intervalOf } from '../../domain/market-data/interval.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { readKlineFile } from '../../klines/formats/read-kline-file.ts'
import { TradeFileError } from '../../klines/formats/trade-file-error.ts'
import type { KlineColumns } from '../../klines/kline-columns.ts'
import { sliceKlines } from '../../klines/slice-klines.ts'
import type { BacktestCommandOptions } from './backtest-command-options.ts'
import { backtestSettings } from './input/backtest-settings.ts'
import { sourcesOf } from './input/backtest-sources.ts'
import { detailInput } from './input/detail-input.ts'
import { feedsOfTicks, readFeeds } from './input/feeds-input.ts'
import { type FuturesInput, readFuturesInput } from './input/futures-input.ts'
import { instrumentFor, onGridOf } from './input/instrument-for.ts'
import { type RoleInput, readRoles } from './input/roles-input.ts'
import { storedTickInput } from './input/stored-ticks.ts'
import { type TickInput, tickInput } from './input/tick-input.ts'
import { type KlinesWithoutGaps, withoutGaps } from './without-gaps.ts'

/** Inputs of a backtest, read and checked. */
export interface BacktestInput extends BacktestOptions {
  readonly config: BacktestConfig
  /** Configuration as written, without defaults. */
  readonly configValues: unknown
  /** Source of the klines. */
  readonly data: DataSource
  /** Source of the best bids and asks that were recorded with trades. */
  readonly bookData?: DataSource | undefined
  /** Source of the mark prices that were recorded with the ticks of a contract. */
  readonly markData?: DataSource | undefined
  /** Source of the orders of a recorded session. */
  readonly sessionData?: DataSource | undefined
  /** Source of the finer klines, if there are any. */
  readonly detailData: DataSource | undefined
  readonly gaps: KlinesWithoutGaps['gaps']
  /** Sources of the futures data. */
  readonly futuresFiles: FuturesInput['files']
  /** Instruments of the strategy's roles. */
  readonly roles: Readonly<Record<string, RoleInput>>
  readonly feedFiles: readonly DataSource[]
}

/**
 * Reads the inputs that the options of a backtest name; rejects with `UsageError` for unusable ones, the
 * quickest checks first.
 */
export async function readBacktestInput(options: BacktestCommandOptions): Promise<BacktestInput> {
  const input = await readTrialInput(options)
  requireDecisions(input)
  return input
}

/** The same, also where other parameters than those of the options may decide on the klines and these do not. */
export async function readTrialInput(options: BacktestCommandOptions): Promise<BacktestInput> {
  const interval = intervalOf(options.interval)
  const finer = options.detail === undefined ? undefined : intervalOf(options.detail)
  if (finer !== undefined) requireFiner(finer, interval)
  const { config, configValues } = backtestSettings(options)
  requireOneSource(options, config)
  const entry = options.entry === undefined ? undefined : config.strategies?.[options.entry]
  const listed = instrumentFor(options, config)
  const strategy = await sourcesOf(options).strategy(options.strategy)
  checkParameters(strategy, options.parameters, placeOf(options))
  const { sizingReference, closeAtEnd, ...fills } = config.fills
  const read = await readKlines(options, interval, listed)
  const instrument = read.ticks === undefined ? onGridOf(read.klines, options, config) : listed
  const { futures, files } = await readFuturesInput(config, instrument, options, read)
  const own = { klines: read.klines, interval }
  const roles = await readRoles({ options, config, strategy, own, finer })
  const { whole, ...played } = read
  const { feeds, files: feedFiles } =
    read.ticks === undefined
      ? await readFeeds({
          ...{ options, strategy, instrument, interval, roles, futures },
          own: { klines: read.klines, whole },
        })
      : feedsOfTicks(options)
  return {
    config,
    configValues,
    interval,
    instrument,
    strategy,
    parameters: options.parameters,
    balances: openingBalances(config),
    size: entry?.size ?? config.size,
    risk: config.risk,
    strategyRisk: entry?.risk,
    fills,
    sizingReference,
    closeAtEnd,
    ...played,
    ...(await detailInput(options, finer, own)),
    futures,
    futuresFiles: files,
    roles,
    feeds,
    feedFiles,
  }
}

/** Sources of everything that is played, in the order of a manifest. */
export function playedSources(input: BacktestInput): readonly DataSource[] {
  const { data, bookData, markData, sessionData, futuresFiles, feedFiles } = input
  const recorded = [bookData, markData, sessionData].filter(source => source !== undefined)
  return [data, ...recorded, ...futuresFiles, ...feedFiles]
}

/** Place of the parameters in the configuration; none on the command line and in a recorded result. */
function placeOf({ config, entry, configValues }: BacktestCommandOptions): ConfiguredPlace | undefined {
  return entry === undefined || configValues !== undefined ? undefined : { config, entry }
}

/** Klines, with all klines of their file: earlier ones may be the history of a feed. */
type KlineInput = Pick<BacktestInput, 'klines' | 'data' | 'gaps'> &
  Partial<Pick<TickInput, 'ticks' | 'bookData' | 'markData' | 'sessionData'>> & {
    readonly whole?: KlineColumns
  }

function readKlines(
  options: BacktestCommandOptions,
  interval: Interval,
  instrument: Instrument,
): KlineInput | Promise<KlineInput> {
  if (options.ticks === true && options.data !== undefined)
    throw new UsageError(
      `--ticks plays the recorded trades of the store, but ${options.data} is named as data; leave one of the two out.`,
    )
  if (options.ticks === true) return storedTickInput(options, interval, instrument)
  return options.data === undefined
    ? storedInput(options, interval)
    : fileInput(options, options.data, interval)
}

/** Klines of a file; a file of trades also gives ticks. */
async function fileInput(
  options: BacktestCommandOptions,
  file: string,
  interval: Interval,
): Promise<KlineInput> {
  try {
    return await klineInput(options, file, interval)
  } catch (cause) {
    if (!(cause instanceof TradeFileError)) throw cause
    return tickInput(options, file, interval)
  }
}

async function klineInput(
  options: BacktestCommandOptions,
  file: string,
  interval: Interval,
): Promise<KlineInput> {
  if (options.book !== undefined) await requireTrades(file)
  const { columns, sha256 } = await sourcesOf(options).klineFile(file)
  const klines = sliceOf(columns, file, options)
  return {
    ...withoutGaps(klines, { interval, policy: options.gaps, name: file }),
    data: { path: file, sha256, klines: columns.length },
    whole: columns,
  }
}

/** Throws `UsageError` for a file of klines, because best bids and asks need trades. */
async function requireTrades(file: string): Promise<void> {
  await readKlineFile(file)
  throw new UsageError(
    `${file} has klines, but --book is for best bids and asks that were recorded with trades; give a file of trades, or leave --book out.`,
  )
}

function storedInput(options: BacktestCommandOptions, interval: Interval): KlineInput {
  const stored = sourcesOf(options).storedKlines({
    ...options,
    interval,
    allowsLess: options.gaps === 'skip',
  })
  const { columns, sha256, name, resampled } = stored
  return {
    ...withoutGaps(columns, { interval, policy: options.gaps, name }),
    // The name is not a path: without its folders it would be half a symbol.
    data: { path: name.replaceAll('/', '-'), sha256, klines: columns.length, resampled },
  }
}

function sliceOf(columns: KlineColumns, file: string, { from, to }: BacktestCommandOptions): KlineColumns {
  const span = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const klines = sliceKlines(columns, span)
  if (klines.length > 0) return klines
  const wanted = [
    ...(from === undefined ? [] : [`from ${utcText(from)}`]),
    ...(to === undefined ? [] : [`before ${utcText(to)}`]),
  ]
  // A kline file has at least one kline.
  const [first, last] = [columns.openTime[0] as number, columns.openTime.at(-1) as number]
  throw new UsageError(
    `${file} has no klines ${wanted.join(' and ')}; it has those from ${utcText(first)} to ${utcText(last)}.`,
  )
}

/** Throws `UsageError` if the command line names a strategy although the configuration lists some. */
function requireOneSource(
  { strategy, entry, config: path }: BacktestCommandOptions,
  { strategies }: BacktestConfig,
): void {
  if (strategies === undefined || entry !== undefined) return
  throw new UsageError(
    `${path} lists strategies, so ${strategy} on the command line contradicts it; leave one of the two out.`,
  )
}
