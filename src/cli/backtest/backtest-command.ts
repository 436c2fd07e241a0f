import {
  type KlineOrigin,
  type Manifest,
  type ManifestInputs,
  manifestOf,
} from '../../../backtest/manifest/manifest.ts'
import { type Metrics, metricsOf } from '../../../backtest/metrics/metrics.ts'
import type { BacktestReport } from '../../../backtest/report/backtest-report.ts'
import { ChartRecorder } from '../../../backtest/report/chart/chart-recorder.ts'
import type { BacktestResult } from '../../../backtest/results/backtest-result.ts'
import { startEquityOf } from '../../../backtest/results/start-equity.ts'
import { resumableBounds } from '../../../backtest/run/bounds.ts'
import { resumableBacktest } from '../../../backtest/run/run-backtest.ts'
import { interruptible } from '../interruption.ts'
import { PROJECT_FOLDER, projectVersion } from '../project.ts'
import type { OutputStreams } from '../streams.ts'
import type { BacktestCommandOptions } from './backtest-command-options.ts'
import { type BacktestInput, playedSources, readBacktestInput } from './backtest-input.ts'
import { renderReport } from './backtest-output.ts'
import { countedRun } from './counted-run.ts'
import { inTurns } from './in-turns.ts'
import { fundingOf, marginPart } from './input/margin-part.ts'
import { tradingPart } from './input/trading-part.ts'
import { followedInputs, marketsReport, rolesReport } from './markets-report.ts'
import { outsideImports } from './outside-imports.ts'
import { RunProgress } from './run-progress.ts'

/**
 * Runs a backtest and writes its report, completely or, after SIGINT or an error, not at all; resolves to
 * exit code 0, rejects with `UsageError`, `StrategyError` or `Interrupted`.
 */
export async function runBacktestCommand(
  options: BacktestCommandOptions,
  { out, err }: Pick<OutputStreams, 'out' | 'err'>,
): Promise<number> {
  await interruptible(async () => {
    const report = await backtestReport(options, err)
    const writes = await renderReport(report, options, out, await countedRun(report, options, err))
    // Without a turn of the event loop in between, so that SIGINT comes before all or after all.
    for (const write of writes) write()
  })
  return 0
}

/** Runs a backtest, with progress on `err`; rejects with `UsageError` or `StrategyError`. */
export async function backtestReport(
  options: BacktestCommandOptions,
  err: OutputStreams['err'],
): Promise<BacktestReport> {
  const markets = options.markets ?? [options]
  for (const sentence of outsideImports(markets.map(({ strategy }) => strategy))) err.write(`${sentence}\n`)
  if (options.markets !== undefined && options.markets.length > 1) {
    return marketsReport({ ...options, markets: options.markets }, err)
  }
  const progress = new RunProgress(err)
  try {
    progress.reading(options.data ?? options.store)
    const input = await readBacktestInput(options)
    const runs = options.bounds === true ? 3 : 1
    await progress.playing(runs * input.klines.length)
    const onPlayed = (klines: number) => progress.add(klines)
    const recorder = options.html === undefined ? undefined : new ChartRecorder()
    const result = await inTurns(resumableBacktest({ ...input, ...recorder }), onPlayed)
    const bounds = options.bounds === true ? await inTurns(resumableBounds(input), onPlayed) : undefined
    progress.stop()
    const charts = recorder && { charts: recorder.charts }
    if (Object.keys(input.roles).length > 0)
      return { ...rolesReport(options, input, result, bounds), ...charts }
    const metrics = (of: BacktestResult) => metricsIn(input, of)
    return {
      ...reportOf(options, input, result),
      ...charts,
      ...(bounds !== undefined && {
        bounds: { worst: metrics(bounds.worst), best: metrics(bounds.best), areAlike: bounds.areAlike },
      }),
    }
  } finally {
    progress.stop()
  }
}

function reportOf(
  options: BacktestCommandOptions,
  input: BacktestInput,
  result: BacktestResult,
): BacktestReport {
  const { instrument, strategy, config } = input
  const { roundTrips, fills, profit, signals, orders, denialCounts, ruined } = result
  return {
    ...coursesOf(input, result),
    strategy: strategy.name,
    manifest: manifestFor(options, input, result.equityTime.at(-1) as number),
    settings: config,
    fillSettings: input.fills,
    metrics: metricsIn(input, result),
    quote: instrument.quote,
    ...tradingPart([input], result),
    roundTrips,
    fills,
    profit,
    signals,
    orders,
    denials: denialCounts,
    ruined,
    ambiguity: {
      policy: input.ticks === undefined ? config.fills.path : 'trades',
      roundTrips: result.ambiguousRoundTrips,
      openPositions: result.ambiguousOpenPositions,
    },
    ...marginPart([input], result),
  }
}

function metricsIn(input: BacktestInput, result: BacktestResult): Metrics {
  const { equity: curve, ...courses } = coursesOf(input, result)
  const { roundTrips, fills } = result
  const { riskFreeRate } = input.config
  return metricsOf({
    ...{ ...courses, curve, roundTrips, fills, riskFreeRate },
    funding: fundingOf([input], result),
  })
}

/** Inputs of the metrics: markets, equity, open positions, and buy and hold. */
function coursesOf(input: BacktestInput, { equityTime: time, equity, openPositions }: BacktestResult) {
  const { instrument, interval, klines } = input
  // There is at least one kline.
  const startTime = klines.openTime[0] as number
  const startPrice = klines.open[0] as number
  return {
    markets: [{ instrument, interval, klines }],
    equity: { startTime, startEquity: startEquityOf(input.balances, [input]), time, equity },
    benchmark: { startTime, startEquity: startPrice, time, equity: klines.close },
    openPositions,
  }
}

/** The manifest of a run of one market that ends at `to`, ms UTC. */
export function manifestFor(options: BacktestCommandOptions, input: BacktestInput, to: number): Manifest {
  const { klines, config, strategy, parameters, interval, instrument } = input
  return manifestOf({
    root: PROJECT_FOLDER,
    version: projectVersion(),
    node: process.version,
    strategyFile: options.strategy,
    config,
    data: playedSources(input),
    detail: input.detail && input.detailData && { ...input.detailData, interval: input.detail.interval },
    gaps: input.gaps,
    seed: options.seed,
    symbol: instrument.symbol,
    interval,
    // There is at least one kline.
    from: klines.openTime[0] as number,
    to,
    klines: klines.length,
    parameters: strategy.parameterValues(parameters),
    inputs: inputsOf(options, input),
  })
}

function inputsOf(options: BacktestCommandOptions, { configValues, detail }: BacktestInput): ManifestInputs {
  const sourceOf = (file: string | undefined): KlineOrigin =>
    file === undefined ? { store: options.store, venue: options.venue } : { file }
  return {
    strategy: options.strategy,
    data: sourceOf(options.data),
    book: options.book,
    ticks: options.ticks === true ? true : undefined,
    funding: options.funding,
    from: options.from,
    to: options.to,
    path: options.path,
    queue: options.queue,
    detail: detail && { ...sourceOf(options.detailData), interval: detail.interval },
    bounds: options.bounds === true ? true : undefined,
    ...followedInputs(options),
    config: configValues,
  }
}
