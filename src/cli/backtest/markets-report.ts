import { type Manifest, type ManifestMarket, manifestOf } from '../../../backtest/manifest.ts'
import { heldEqually } from '../../../backtest/metrics/held-equally.ts'
import type { Market } from '../../../backtest/metrics/market.ts'
import { metricsOf } from '../../../backtest/metrics/metrics.ts'
import type { BacktestReport } from '../../../backtest/report/backtest-report.ts'
import { reportParts } from '../../../backtest/report/report-parts.ts'
import { type BacktestResult, runBacktest } from '../../../backtest/run-backtest.ts'
import { amountToNumber, ZERO } from '../../domain/amount.ts'
import { bookNames } from '../../domain/book-names.ts'
import { closeTimeOf } from '../../domain/interval.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { BacktestCommandOptions, MarketOptions } from '../backtest-command.ts'
import { type BacktestInput, readBacktestInput } from '../backtest-input.ts'
import type { Streams } from '../command-line.ts'
import { progressBar } from '../progress-bar.ts'
import { PROJECT_FOLDER, projectVersion } from '../project.ts'
import { fundingOf, marginPart } from './margin-part.ts'

/** Options of a backtest of several markets. */
export type MarketsCommandOptions = BacktestCommandOptions & { readonly markets: readonly MarketOptions[] }

/** A market with what it is told apart by. */
interface NamedInput {
  readonly input: BacktestInput
  readonly options: MarketOptions
  readonly book: string
}

/** Reads what the options of several markets name, one after the other; rejects with `UsageError`. */
export async function readMarkets(options: MarketsCommandOptions): Promise<readonly BacktestInput[]> {
  const { data: _, venue: __, size: ___, ...common } = options
  const inputs: BacktestInput[] = []
  for (const market of options.markets) {
    try {
      inputs.push(await readBacktestInput({ ...common, ...market }))
    } catch (cause) {
      if (market.place === undefined || !(cause instanceof UsageError)) throw cause
      throw new UsageError(`${market.place}: ${cause.message}`, cause)
    }
  }
  return inputs
}

/** Runs a backtest of several markets, with its progress on `err`; rejects with `UsageError` or `StrategyError`. */
export async function marketsReport(
  options: MarketsCommandOptions,
  err: Streams['err'],
): Promise<BacktestReport> {
  refuseUnknown(options)
  const inputs = await readMarkets(options)
  const progress = await progressBar(
    err,
    inputs.reduce((sum, { klines }) => sum + klines.length, 0),
  )
  try {
    const [first] = inputs as [BacktestInput] // more than one
    const { balances, fills, sizingReference, closeAtEnd } = first
    const result = runBacktest({
      markets: inputs,
      balances,
      fills,
      sizingReference,
      closeAtEnd,
      onProgress: done => progress.update(done),
    })
    progress.stop()
    const books = bookNames(
      inputs.map(({ instrument, strategy }) => ({ symbol: instrument.symbol, strategy })),
    )
    const named = inputs.map((input, index) => ({
      input,
      options: options.markets[index] as MarketOptions, // one for each
      book: books[index] ?? input.instrument.symbol,
    }))
    return reportOf(options, named, result)
  } finally {
    progress.stop()
  }
}

/** Throws `UsageError` for what a run of several markets does not know yet. */
function refuseUnknown({ bounds, detail }: MarketsCommandOptions): void {
  const unknown = bounds === true ? '--bounds' : detail === undefined ? undefined : '--detail'
  if (unknown === undefined) return
  throw new UsageError(
    `${unknown} is for one market, and this run has several; run them one by one, or leave it out.`,
  )
}

function reportOf(
  options: MarketsCommandOptions,
  named: readonly NamedInput[],
  result: BacktestResult,
): BacktestReport {
  const [{ input: first }] = named as [NamedInput] // more than one
  const { roundTrips, fills, signals, denials, openPositions, ruined, equityTime: time } = result
  const markets: readonly Market[] = named.map(({ input, book }) => ({
    instrument: input.instrument,
    interval: input.interval,
    klines: input.klines,
    strategy: input.strategy.name,
    book,
  }))
  const startTime = Math.min(...markets.map(({ klines }) => klines.openTime[0] as number)) // each has a kline
  const equity = { startTime, startEquity: startEquityOf(first, markets), time, equity: result.equity }
  const benchmark = heldEqually(markets, startTime, time)
  return {
    strategy: [...new Set(named.map(({ input }) => input.strategy.name))].join(', '),
    manifest: manifestFor(options, named, startTime, time.at(-1) ?? startTime),
    settings: first.config,
    metrics: metricsOf({
      ...{ curve: equity, benchmark, markets, roundTrips, fills, openPositions },
      riskFreeRate: first.config.riskFreeRate,
      funding: fundingOf(first, result),
    }),
    quote: first.instrument.quote,
    markets,
    roundTrips,
    fills,
    equity,
    benchmark,
    signals,
    denials,
    openPositions,
    ruined,
    ambiguity: { policy: first.fills.path, roundTrips: result.ambiguousRoundTrips },
    ...marginPart(first, result),
    parts: reportParts({ markets, roundTrips, openPositions, equity }),
  }
}

function manifestFor(
  options: MarketsCommandOptions,
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
    data: named.flatMap(({ input }) => [input.data, ...input.futuresFiles]),
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
      from: options.from,
      to: options.to,
      path: options.path,
      config: first.configValues,
    },
    markets: named.map(manifestMarket),
  })
}

function manifestMarket({ input, options, book }: NamedInput): ManifestMarket {
  const { klines, interval } = input
  return {
    symbol: input.instrument.symbol,
    interval,
    strategy: input.strategy.name,
    book,
    parameters: input.strategy.parameterValues(input.parameters),
    size: input.size,
    from: klines.openTime[0] as number, // there is at least one kline
    to: closeTimeOf(klines.openTime.at(-1) as number, interval),
    klines: klines.length,
    gaps: input.gaps,
    inputs: sourceOf(options),
  }
}

function sourceOf({ strategy, data, store, venue }: MarketOptions): ManifestMarket['inputs'] {
  return { strategy, data: data === undefined ? { store, venue } : { file: data } }
}

/** The quote of the account, and the base of each instrument at its first open. */
function startEquityOf(
  { balances, instrument: { quote } }: BacktestInput,
  markets: readonly Market[],
): number {
  const held = (asset: string) => amountToNumber(balances.get(asset) ?? ZERO)
  const opens = new Map<string, { readonly time: number; readonly price: number }>()
  for (const { instrument, klines } of markets) {
    const [time, price] = [klines.openTime[0] as number, klines.open[0] as number] // there is at least one kline
    if (time < (opens.get(instrument.base)?.time ?? Number.POSITIVE_INFINITY)) {
      opens.set(instrument.base, { time, price })
    }
  }
  return [...opens].reduce((sum, [base, { price }]) => sum + held(base) * price, held(quote))
}
