import {
  type Manifest,
  type ManifestInputs,
  type ManifestMarket,
  type MarketInput,
  manifestOf,
} from '../../../backtest/manifest/manifest.ts'
import type { ReplayedMarket } from '../../../backtest/metrics/market.ts'
import { type Metrics, metricsOf } from '../../../backtest/metrics/metrics.ts'
import { heldEqually } from '../../../backtest/metrics/returns/held-equally.ts'
import type { BacktestReport } from '../../../backtest/report/backtest-report.ts'
import { ChartRecorder } from '../../../backtest/report/chart/chart-recorder.ts'
import { reportParts } from '../../../backtest/report/text/report-parts.ts'
import type { BacktestResult } from '../../../backtest/results/backtest-result.ts'
import { startEquityOf } from '../../../backtest/results/start-equity.ts'
import type { MarketsBacktestOptions } from '../../../backtest/run/backtest-options.ts'
import { type PathBounds, resumableBounds } from '../../../backtest/run/bounds.ts'
import { resumableBacktest } from '../../../backtest/run/run-backtest.ts'
import { bookNames } from '../../domain/book-names.ts'
import { closeTimeOf } from '../../domain/market-data/interval.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { PROJECT_FOLDER, projectVersion } from '../project.ts'
import type { OutputStreams } from '../streams.ts'
import type { BacktestCommandOptions, MarketOptions } from './backtest-command-options.ts'
import { type BacktestInput, playedSources, readBacktestInput } from './backtest-input.ts'
import { inTurns } from './in-turns.ts'
import { fundingOf, marginPart } from './input/margin-part.ts'
import { tradingPart } from './input/trading-part.ts'
import { RunProgress } from './run-progress.ts'

/** Options of a backtest of several markets. */
export type MarketsCommandOptions = BacktestCommandOptions & { readonly markets: readonly MarketOptions[] }

/** A market with its identifying names. */
interface NamedInput {
  readonly input: BacktestInput
  readonly options: MarketOptions
  readonly book: string
  readonly role: string | undefined
}

/** Reads the inputs of several markets, one after the other; rejects with `UsageError`. */
export async function readMarkets(options: MarketsCommandOptions): Promise<readonly BacktestInput[]> {
  const { data: _, detailData: __, venue: ___, entry: ____, book: _____, ...common } = options
  const inputs: BacktestInput[] = []
  for (const market of options.markets) {
    try {
      inputs.push(await readBacktestInput({ ...common, ...market }))
    } catch (cause) {
      if (market.entry === undefined || !(cause instanceof UsageError)) throw cause
      throw new UsageError(`strategies[${market.entry}] of ${options.config}: ${cause.message}`, cause)
    }
  }
  return inputs
}

/** Options of a run of several markets. */
export function marketsBacktest(inputs: readonly BacktestInput[]): MarketsBacktestOptions {
  const [{ balances, fills, risk, sizingReference, closeAtEnd }] = inputs as [BacktestInput] // more than one
  return { markets: inputs, balances, fills, risk, sizingReference, closeAtEnd }
}

/**
 * Runs a backtest of several markets, with progress on `err`; rejects with `UsageError` or `StrategyError`.
 */
export async function marketsReport(
  options: MarketsCommandOptions,
  err: OutputStreams['err'],
): Promise<BacktestReport> {
  const progress = new RunProgress(err)
  try {
    progress.reading(`${options.ticks === true ? 'ticks' : 'klines'} of ${options.markets.length} markets`)
    const inputs = await readMarkets(options)
    const backtest = marketsBacktest(inputs)
    const runs = options.bounds === true ? 3 : 1
    await progress.playing(runs * inputs.reduce((sum, { klines }) => sum + klines.length, 0))
    const onPlayed = (klines: number) => progress.add(klines)
    const recorder = options.html === undefined ? undefined : new ChartRecorder()
    const result = await inTurns(resumableBacktest({ ...backtest, ...recorder }), onPlayed)
    const bounds = options.bounds === true ? await inTurns(resumableBounds(backtest), onPlayed) : undefined
    progress.stop()
    return {
      ...reportOf(options, namedInputs(options.markets, inputs), result, bounds),
      ...(recorder && { charts: recorder.charts }),
    }
  } finally {
    progress.stop()
  }
}

/** Report of a backtest of one strategy that trades several instruments. */
export function rolesReport(
  options: BacktestCommandOptions,
  input: BacktestInput,
  result: BacktestResult,
  bounds: PathBounds | undefined,
): BacktestReport {
  return reportOf(options, namedInputs([options], [input]), result, bounds)
}

/** Markets and manifest of a backtest of one strategy that trades several instruments, without its run. */
export function rolesBacktest(
  options: BacktestCommandOptions,
  input: BacktestInput,
  { from, to }: { readonly from: number; readonly to: number },
): Pick<BacktestReport, 'markets' | 'manifest'> {
  const named = namedInputs([options], [input])
  return { markets: replayedMarkets(named), manifest: manifestFor(options, named, from, to) }
}

/** All markets, each followed by those of its strategy's roles. */
function namedInputs(
  markets: readonly MarketOptions[],
  inputs: readonly BacktestInput[],
): readonly NamedInput[] {
  const all = inputs.flatMap((input, index) => {
    const options = markets[index] as MarketOptions // one for each
    const ofRoles = Object.entries(input.roles).map(([role, own]) => ({
      ...{ role, options, input: { ...input, ...own, size: own.size ?? input.size, feedFiles: [] } },
    }))
    return [{ role: undefined, options, input }, ...ofRoles]
  })
  const books = bookNames(
    all.map(({ input: { instrument, strategy } }) => ({ symbol: instrument.symbol, strategy })),
  )
  return all.map((named, index) => ({ ...named, book: books[index] ?? named.input.instrument.symbol }))
}

function reportOf(
  options: BacktestCommandOptions,
  named: readonly NamedInput[],
  result: BacktestResult,
  bounds: PathBounds | undefined,
): BacktestReport {
  const inputs = named.map(({ input }) => input)
  const [first] = inputs as [BacktestInput] // more than one
  const { roundTrips, fills, profit, signals, orders, denialCounts, openPositions, ruined } = result
  const courses = coursesOf(named, result)
  const { markets, equity, benchmark } = courses
  const metrics = (of: BacktestResult) => metricsIn(named, of)
  return {
    strategy: [...new Set(inputs.map(({ strategy }) => strategy.name))].join(', '),
    manifest: manifestFor(options, named, equity.startTime, equity.time.at(-1) ?? equity.startTime),
    settings: first.config,
    fillSettings: first.fills,
    metrics: metrics(result),
    quote: first.instrument.quote,
    markets,
    ...tradingPart(inputs, result),
    roundTrips,
    fills,
    equity,
    profit,
    benchmark,
    signals,
    orders,
    denials: denialCounts,
    openPositions,
    ruined,
    ambiguity: {
      policy: first.ticks === undefined ? first.fills.path : 'trades',
      roundTrips: result.ambiguousRoundTrips,
      openPositions: result.ambiguousOpenPositions,
    },
    ...(bounds !== undefined && {
      bounds: { worst: metrics(bounds.worst), best: metrics(bounds.best), areAlike: bounds.areAlike },
    }),
    ...marginPart(inputs, result),
    parts: reportParts({ markets, roundTrips, openPositions, equity }),
  }
}

function metricsIn(named: readonly NamedInput[], result: BacktestResult): Metrics {
  const inputs = named.map(({ input }) => input)
  const { equity: curve, ...courses } = coursesOf(named, result)
  const { roundTrips, fills, openPositions } = result
  return metricsOf({
    ...{ ...courses, curve, roundTrips, fills, openPositions },
    riskFreeRate: inputs[0]?.config.riskFreeRate ?? 0,
    funding: fundingOf(inputs, result),
  })
}

function replayedMarkets(named: readonly NamedInput[]): readonly ReplayedMarket[] {
  return named.map(({ input, book }) => ({
    instrument: input.instrument,
    interval: input.interval,
    klines: input.klines,
    strategy: input.strategy.name,
    book,
  }))
}

/** Inputs of the metrics: markets, equity, and buy and hold. */
function coursesOf(named: readonly NamedInput[], { equityTime: time, equity }: BacktestResult) {
  const markets = replayedMarkets(named)
  const startTime = Math.min(...markets.map(({ klines }) => klines.openTime[0] as number)) // each has a kline
  const startEquity = startEquityOf(named[0]?.input.balances ?? new Map(), markets)
  return {
    markets,
    equity: { startTime, startEquity, time, equity },
    benchmark: heldEqually(markets, startTime, time),
  }
}

function manifestFor(
  options: BacktestCommandOptions,
  named: readonly NamedInput[],
  from: number,
  to: number,
): Manifest {
  const [{ input: first, options: firstOptions }] = named as [NamedInput] // more than one
  const joined = (texts: readonly string[]) => [...new Set(texts)].join(', ')
  const sum = (of: (input: BacktestInput) => number) =>
    named.reduce((total, { input }) => total + of(input), 0)
  return manifestOf({
    root: PROJECT_FOLDER,
    version: projectVersion(),
    node: process.version,
    strategyFile: firstOptions.strategy,
    otherStrategyFiles: named.slice(1).map(({ options: { strategy } }) => strategy),
    config: first.config,
    data: named.flatMap(({ input }) => playedSources(input)),
    gaps: {
      policy: first.gaps.policy,
      count: sum(({ gaps }) => gaps.count),
      missing: sum(({ gaps }) => gaps.missing),
    },
    seed: options.seed,
    symbol: joined(named.map(({ input }) => input.instrument.symbol)),
    interval: joined(named.map(({ input }) => input.interval)),
    from,
    to,
    klines: sum(({ klines }) => klines.length),
    parameters: {},
    inputs: {
      ...sourceOf(firstOptions),
      ticks: options.ticks === true ? true : undefined,
      funding: options.funding,
      from: options.from,
      to: options.to,
      path: options.path,
      queue: options.queue,
      detail: detailSourceOf(first, firstOptions),
      bounds: options.bounds === true ? true : undefined,
      ...followedInputs(firstOptions),
      config: first.configValues,
    },
    markets: named.map(manifestMarket),
  })
}

function manifestMarket({ input, options, book, role }: NamedInput): MarketInput {
  const { klines, interval } = input
  return {
    symbol: input.instrument.symbol,
    interval,
    strategy: input.strategy.name,
    book,
    ...(role !== undefined && { role }),
    parameters: input.strategy.parameterValues(input.parameters),
    size: input.size,
    from: klines.openTime[0] as number, // there is at least one kline
    to: closeTimeOf(klines.openTime.at(-1) as number, interval),
    klines: klines.length,
    gaps: input.gaps,
    detail: input.detail && input.detailData && { ...input.detailData, interval: input.detail.interval },
    inputs: {
      ...sourceOf(options),
      book: options.book,
      detail: detailSourceOf(input, options),
      ...(role === undefined && followedInputs(options)),
    },
  }
}

function sourceOf({ strategy, data, store, venue }: MarketOptions): ManifestMarket['inputs'] {
  return { strategy, data: data === undefined ? { store, venue } : { file: data } }
}

/** Source of finer klines. */
function detailSourceOf({ detail }: BacktestInput, { detailData, store, venue }: MarketOptions) {
  const source = detailData === undefined ? { store, venue } : { file: detailData }
  return detail && { ...source, interval: detail.interval }
}

/** Roles and feed files, for the manifest. */
export function followedInputs({
  roles,
  feedData,
}: MarketOptions): Pick<ManifestInputs, 'roles' | 'feedData'> {
  return { ...(roles !== undefined && { roles }), ...(feedData !== undefined && { feedData }) }
}
