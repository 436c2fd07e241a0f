import type { BacktestConfig } from '../../../config/backtest-config.ts'
import { UsageError } from '../../../domain/sluice-error.ts'
import type { MarketOptions } from '../backtest-command-options.ts'
import { backtestSettings } from './backtest-settings.ts'

/** Strategy and markets of the command line. */
export interface GivenMarkets {
  readonly strategy?: string | undefined
  /** One symbol, or several separated by commas. */
  readonly symbol?: string | undefined
  readonly interval?: string | undefined
  /** One file, or one per symbol separated by commas. */
  readonly data?: string
  /** Files of best bids and asks that were recorded with trades: one, or one per symbol separated by commas. */
  readonly book?: string
  /** Files of finer klines: one, or one per market separated by commas. */
  readonly detailData?: string
  readonly store: string
  readonly venue?: string
  readonly parameters: Readonly<Record<string, string>>
  /** Symbols by role of the strategy. */
  readonly market?: Readonly<Record<string, string>>
  /** Kline files by role or feed. */
  readonly feedData?: Readonly<Record<string, string>>
  /** Path of the configuration. */
  readonly config: string
}

/**
 * The strategy of the command line on each of its symbols; throws `UsageError` if the options do not match.
 */
export function marketsOnLine(
  given: GivenMarkets & { readonly strategy: string; readonly symbol: string; readonly interval: string },
): readonly MarketOptions[] {
  const { strategy, symbol, interval, store, venue, parameters } = given
  const symbols = symbol.split(',')
  const twice = symbols.find((name, index) => symbols.indexOf(name) !== index)
  if (twice !== undefined) throw new UsageError(`--symbol names "${twice}" twice; name every symbol once.`)
  const count = `--symbol names ${symbols.length} symbols`
  const files = filesFor(symbols.length, count, '--data', given.data)
  const books = filesFor(symbols.length, count, '--book', given.book)
  const finer = filesFor(symbols.length, count, '--detail-data', given.detailData)
  const roles = rolesOn(given)
  return symbols.map((name, index) => ({
    strategy,
    ...(roles !== undefined && { roles }),
    ...(given.feedData !== undefined && { feedData: given.feedData }),
    symbol: name,
    interval,
    parameters,
    store,
    ...(venue !== undefined && { venue }),
    ...(files[index] !== undefined && { data: files[index] }),
    ...(books[index] !== undefined && { book: books[index] }),
    ...(finer[index] !== undefined && { detailData: finer[index] }),
  }))
}

/**
 * Strategies that the configuration lists, `undefined` without a list; throws `UsageError` if the command
 * line names a market as well.
 */
export function marketsInConfig(given: GivenMarkets): readonly MarketOptions[] | undefined {
  const { strategies } = backtestSettings(given).config
  return strategies && listed(given, strategies)
}

function rolesOn({ market }: GivenMarkets): MarketOptions['roles'] {
  return market && Object.fromEntries(Object.entries(market).map(([role, symbol]) => [role, { symbol }]))
}

function filesFor(
  count: number,
  counted: string,
  option: string,
  given: string | undefined,
): readonly string[] {
  if (given === undefined) return []
  if (count === 1) return [given]
  const files = given.split(',')
  if (files.length === count) return files
  throw new UsageError(
    `${counted} and ${option} ${files.length === 1 ? '1 file' : `${files.length} files`}; give one for each, with commas between them.`,
  )
}

function listed(
  { symbol, interval, data, detailData, venue, store, parameters, market, feedData, config }: GivenMarkets,
  strategies: NonNullable<BacktestConfig['strategies']>,
): readonly MarketOptions[] {
  const [parameter] = Object.keys(parameters)
  const other =
    (symbol && '--symbol') ??
    (interval && '--interval') ??
    (data && '--data') ??
    (parameter && '--param') ??
    (market && '--market') ??
    (feedData && '--feed-data')
  if (other !== undefined) {
    throw new UsageError(`${config} lists strategies, so ${other} contradicts it; leave one of the two out.`)
  }
  const finer = filesFor(
    strategies.length,
    `${config} lists ${strategies.length} strategies`,
    '--detail-data',
    detailData,
  )
  return strategies.map((entry, index) => ({
    entry: index,
    strategy: entry.file,
    symbol: entry.symbol,
    interval: entry.interval,
    parameters: Object.fromEntries(
      Object.entries(entry.parameters).map(([name, value]) => [name, String(value)]),
    ),
    store: entry.store ?? store,
    ...(entry.markets !== undefined && { roles: entry.markets }),
    ...(entry.feedData !== undefined && { feedData: entry.feedData }),
    ...(entry.data !== undefined && { data: entry.data }),
    ...((entry.venue ?? venue) !== undefined && { venue: entry.venue ?? venue }),
    ...(finer[index] !== undefined && { detailData: finer[index] }),
  }))
}
