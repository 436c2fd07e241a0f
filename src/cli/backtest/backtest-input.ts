import type { DataSource } from '../../../backtest/manifest/manifest.ts'
import type { BacktestOptions } from '../../../backtest/run/backtest-options.ts'
import { requireFiner } from '../../../backtest/run/detail-klines.ts'
import { type BacktestConfig, openingBalances } from '../../config/backtest-config.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { type Interval, intervalOf } from '../../domain/market-data/interval.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { readKlineFile } from '../../klines/formats/read-kline-file.ts'
import { TradeFileError } from '../../klines/formats/trade-file-error.ts'
import type { KlineColumns } from '../../klines/kline-columns.ts'
import { sliceKlines } from '../../klines/slice-klines.ts'
import type { BacktestCommandOptions } from './backtest-command-options.ts'
import { type KlinesWithoutGaps, withoutGaps } from './gap-policy.ts'
import { backtestSettings } from './input/backtest-settings.ts'
import { sourcesOf } from './input/backtest-sources.ts'
import { detailInput } from './input/detail-input.ts'
import { readFeeds } from './input/feeds-input.ts'
import { type FuturesInput, readFuturesInput } from './input/futures-input.ts'
import { instrumentFor } from './input/instrument-for.ts'
import { requireDecisions } from './input/require-decisions.ts'
import { type RoleInput, readRoles } from './input/roles-input.ts'
import { tickInput } from './input/tick-input.ts'

/** Everything a backtest needs, read and checked. */
export interface BacktestInput extends BacktestOptions {
  readonly config: BacktestConfig
  /** What it was made from, without its defaults. */
  readonly configValues: unknown
  /** Where the klines are from. */
  readonly data: DataSource
  /** Where the best bids and asks are from, which were recorded with trades. */
  readonly bookData?: DataSource | undefined
  /** Where the finer klines are from, if there are some. */
  readonly detailData: DataSource | undefined
  readonly gaps: KlinesWithoutGaps['gaps']
  /** What a futures account needs beside them. */
  readonly futuresFiles: FuturesInput['files']
  /** The instruments of the strategy's roles. */
  readonly roles: Readonly<Record<string, RoleInput>>
  /** Where what its feeds show is from. */
  readonly feedFiles: readonly DataSource[]
}

/** Reads what the options of a backtest name; rejects with `UsageError` for what cannot be used, the quickest checks first. */
export async function readBacktestInput(options: BacktestCommandOptions): Promise<BacktestInput> {
  const interval = intervalOf(options.interval)
  const finer = options.detail === undefined ? undefined : intervalOf(options.detail)
  if (finer !== undefined) requireFiner(finer, interval)
  const { config, configValues } = backtestSettings(options)
  requireOneSource(options, config)
  const entry = options.entry === undefined ? undefined : config.strategies?.[options.entry]
  const instrument = instrumentFor(options, config)
  const strategy = await sourcesOf(options).strategy(options.strategy)
  strategy.parameterValues(options.parameters)
  const { sizingReference, closeAtEnd, ...fills } = config.fills
  const read = await (options.data === undefined
    ? storedInput(options, interval)
    : fileInput(options, options.data, interval))
  const { futures, files } = await readFuturesInput(config, instrument, options.store, read.klines)
  const own = { klines: read.klines, interval }
  const roles = await readRoles({ options, config, strategy, own, finer })
  const { whole, ...played } = read
  // Trades show feeds by themselves.
  const { feeds, files: feedFiles } =
    read.ticks === undefined
      ? await readFeeds({
          ...{ options, strategy, instrument, interval, roles, futures },
          own: { klines: read.klines, whole },
        })
      : NO_FEEDS
  const input = {
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
  requireDecisions(input)
  return input
}

const NO_FEEDS = { feeds: undefined, files: [] } as const

/** Klines, and all of the file that they are from: what lies before them may be history of a feed. */
type KlineInput = Pick<BacktestInput, 'klines' | 'data' | 'gaps' | 'ticks' | 'bookData'> & {
  readonly whole?: KlineColumns
}

/** Klines of a file; one of trades tells more than that. */
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

/** Best bids and asks say nothing beside klines. */
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
  const { columns, sha256, name } = stored
  return {
    ...withoutGaps(columns, { interval, policy: options.gaps, name }),
    // Not a path: without its folders it would be half a symbol.
    data: { path: name.replaceAll('/', '-'), sha256, klines: columns.length },
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

/** Throws `UsageError` where the command line names a strategy and the configuration lists some. */
function requireOneSource(
  { strategy, entry, config: path }: BacktestCommandOptions,
  { strategies }: BacktestConfig,
): void {
  if (strategies === undefined || entry !== undefined) return
  throw new UsageError(
    `${path} lists strategies, so ${strategy} on the command line contradicts it; leave one of the two out.`,
  )
}
