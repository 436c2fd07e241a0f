import { manifestOf } from '../../backtest/manifest.ts'
import { metricsOf } from '../../backtest/metrics.ts'
import type { BacktestReport } from '../../backtest/report.ts'
import { resultJson } from '../../backtest/result-json.ts'
import { resultTable } from '../../backtest/result-table.ts'
import { type BacktestResult, runBacktest } from '../../backtest/run-backtest.ts'
import { amountToNumber, ZERO } from '../domain/amount.ts'
import { type BacktestInput, readBacktestInput } from './backtest-input.ts'
import type { Streams } from './command-line.ts'
import { progressBar } from './progress-bar.ts'
import { PROJECT_FOLDER, projectVersion } from './project.ts'
import { writeAtomically } from './write-atomically.ts'

/** Options of the backtest command. */
export interface BacktestCommandOptions {
  /** Path of a strategy file. */
  readonly strategy: string
  /** Path of a kline file. */
  readonly data: string
  readonly symbol: string
  readonly interval: string
  readonly parameters: Readonly<Record<string, string>>
  /** Path of a YAML file. */
  readonly config: string
  /** First open time, ms UTC. */
  readonly from?: number
  /** End of the open times (not included), ms UTC. */
  readonly to?: number
  /** Where to write JSON instead of the table: a file, or `-` for the output. */
  readonly json?: string
  readonly seed: number
}

/** Runs a backtest and writes its report; resolves to exit code 0, rejects with `UsageError` or `StrategyError`. */
export async function runBacktestCommand(
  options: BacktestCommandOptions,
  { out, err }: Pick<Streams, 'out' | 'err'>,
): Promise<number> {
  const input = await readBacktestInput(options)
  if (input.gapSentence !== undefined) err.write(`${input.gapSentence}\n`)
  const progress = await progressBar(err, input.klines.length)
  try {
    const result = runBacktest({ ...input, onProgress: done => progress.update(done) })
    progress.stop()
    const report = reportOf(options, input, result)
    if (options.json === undefined) out.write(`${resultTable(report)}\n`)
    else writeJson(options.json, `${JSON.stringify(resultJson(report))}\n`, out)
  } finally {
    progress.stop()
  }
  return 0
}

function writeJson(target: string, text: string, out: Streams['out']): void {
  if (target === '-') out.write(text)
  else writeAtomically(target, text)
}

function reportOf(
  options: BacktestCommandOptions,
  input: BacktestInput,
  result: BacktestResult,
): BacktestReport {
  const { roundTrips, fills, signals, denials, openPosition, ruined } = result
  const equity = {
    startTime: input.klines.openTime[0] ?? Number.NaN,
    startEquity: startEquityOf(input),
    time: result.equityTime,
    equity: result.equity,
  }
  return {
    manifest: manifestFor(options, input, result),
    metrics: metricsOf({ curve: equity, roundTrips, openSince: openPosition?.lots[0]?.time }),
    instrument: input.instrument,
    roundTrips,
    fills,
    equity,
    signals,
    denials,
    openPosition,
    ruined,
  }
}

function manifestFor(options: BacktestCommandOptions, input: BacktestInput, { equityTime }: BacktestResult) {
  const { klines, config, strategy, parameters, interval, instrument } = input
  return manifestOf({
    root: PROJECT_FOLDER,
    version: projectVersion(),
    strategyFile: options.strategy,
    config,
    data: [{ path: options.data, ...input.file }],
    seed: options.seed,
    symbol: instrument.symbol,
    interval,
    // There is at least one kline.
    from: klines.openTime[0] as number,
    to: equityTime.at(-1) as number,
    klines: klines.length,
    parameters: strategy.parameterValues(parameters),
  })
}

/** What the account is worth at the first open. */
function startEquityOf({ balances, instrument: { base, quote }, klines }: BacktestInput): number {
  const held = (asset: string) => amountToNumber(balances.get(asset) ?? ZERO)
  const baseHeld = held(base)
  return held(quote) + (baseHeld === 0 ? 0 : baseHeld * (klines.open[0] ?? Number.NaN))
}
