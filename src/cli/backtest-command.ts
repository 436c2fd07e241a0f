import { manifestOf } from '../../backtest/manifest.ts'
import { metricsOf } from '../../backtest/metrics/metrics.ts'
import type { BacktestReport } from '../../backtest/report/backtest-report.ts'
import { type BacktestResult, runBacktest } from '../../backtest/run-backtest.ts'
import { amountToNumber, ZERO } from '../domain/amount.ts'
import { type BacktestInput, readBacktestInput } from './backtest-input.ts'
import { type BacktestOutputs, writeReport } from './backtest-output.ts'
import type { Streams } from './command-line.ts'
import type { GapPolicy } from './gap-policy.ts'
import { progressBar } from './progress-bar.ts'
import { PROJECT_FOLDER, projectVersion } from './project.ts'

/** Options of the backtest command. */
export interface BacktestCommandOptions extends BacktestOutputs {
  /** Path of a strategy file. */
  readonly strategy: string
  /** Path of a kline file; otherwise the klines are those of the store. */
  readonly data?: string
  /** Folder of the kline store. */
  readonly store: string
  /** Whose klines of the store, where several venues have them. */
  readonly venue?: string
  readonly gaps: GapPolicy
  readonly symbol: string
  readonly interval: string
  readonly parameters: Readonly<Record<string, string>>
  /** Path of a YAML file. */
  readonly config: string
  /** What such a file says, instead of the file. */
  readonly configValues?: unknown
  /** First open time, ms UTC. */
  readonly from?: number
  /** End of the open times (not included), ms UTC. */
  readonly to?: number
  readonly seed: number
}

/** Runs a backtest and writes its report; resolves to exit code 0, rejects with `UsageError` or `StrategyError`. */
export async function runBacktestCommand(
  options: BacktestCommandOptions,
  { out, err }: Pick<Streams, 'out' | 'err'>,
): Promise<number> {
  await writeReport(await backtestReport(options, err), options, out)
  return 0
}

/** Runs a backtest, with its progress on `err`; rejects with `UsageError` or `StrategyError`. */
export async function backtestReport(
  options: BacktestCommandOptions,
  err: Streams['err'],
): Promise<BacktestReport> {
  const input = await readBacktestInput(options)
  const progress = await progressBar(err, input.klines.length)
  try {
    const result = runBacktest({ ...input, onProgress: done => progress.update(done) })
    progress.stop()
    return reportOf(options, input, result)
  } finally {
    progress.stop()
  }
}

function reportOf(
  options: BacktestCommandOptions,
  input: BacktestInput,
  result: BacktestResult,
): BacktestReport {
  const { instrument, interval, klines, strategy, config } = input
  const { roundTrips, fills, signals, denials, openPositions, ruined } = result
  const markets = [{ instrument, interval, klines }]
  // There is at least one kline.
  const startTime = klines.openTime[0] as number
  const startPrice = klines.open[0] as number
  const time = result.equityTime
  const equity = { startTime, startEquity: startEquityOf(input), time, equity: result.equity }
  const benchmark = { startTime, startEquity: startPrice, time, equity: klines.close }
  return {
    strategy: strategy.name,
    manifest: manifestFor(options, input, result),
    settings: config,
    metrics: metricsOf({ curve: equity, benchmark, markets, roundTrips, fills, openPositions }),
    quote: instrument.quote,
    markets,
    roundTrips,
    fills,
    equity,
    benchmark,
    signals,
    denials,
    openPositions,
    ruined,
  }
}

function manifestFor(options: BacktestCommandOptions, input: BacktestInput, { equityTime }: BacktestResult) {
  const { klines, config, strategy, parameters, interval, instrument } = input
  return manifestOf({
    root: PROJECT_FOLDER,
    version: projectVersion(),
    node: process.version,
    strategyFile: options.strategy,
    config,
    data: [input.data],
    gaps: input.gaps,
    seed: options.seed,
    symbol: instrument.symbol,
    interval,
    // There is at least one kline.
    from: klines.openTime[0] as number,
    to: equityTime.at(-1) as number,
    klines: klines.length,
    parameters: strategy.parameterValues(parameters),
    inputs: {
      strategy: options.strategy,
      data:
        options.data === undefined ? { store: options.store, venue: options.venue } : { file: options.data },
      from: options.from,
      to: options.to,
      config: input.configValues,
    },
  })
}

/** What the account is worth at the first open. */
function startEquityOf({ balances, instrument: { base, quote }, klines }: BacktestInput): number {
  const held = (asset: string) => amountToNumber(balances.get(asset) ?? ZERO)
  const baseHeld = held(base)
  return held(quote) + (baseHeld === 0 ? 0 : baseHeld * (klines.open[0] ?? Number.NaN))
}
