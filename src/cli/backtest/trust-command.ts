import { strategyFiles } from '../../../backtest/manifest/strategy-files.ts'
import type { BacktestOptions, MarketsBacktestOptions } from '../../../backtest/run/backtest-options.ts'
import type { Resumable } from '../../../backtest/run/resumable.ts'
import { causalText } from '../../../backtest/validation/causality/causal-text.ts'
import { affordableMoments, proveCausal } from '../../../backtest/validation/causality/prove-causal.ts'
import {
  certificateVerdict,
  certificateWork,
  certifyWarmUp,
} from '../../../backtest/validation/warm-up/certify-warm-up.ts'
import { warmUpText } from '../../../backtest/validation/warm-up/warm-up-text.ts'
import { interruptible } from '../interruption.ts'
import { PROJECT_FOLDER } from '../project.ts'
import type { OutputStreams } from '../streams.ts'
import type { BacktestCommandOptions } from './backtest-command-options.ts'
import { type BacktestInput, readBacktestInput } from './backtest-input.ts'
import { inTurns } from './in-turns.ts'
import { marketsBacktest, readMarkets } from './markets-report.ts'
import { RunProgress } from './run-progress.ts'

/** Questions about a backtest, in place of its report. */
export interface TrustQuestions {
  /** Number of cuts at which the future is replaced; `true`: as many as a fixed number of klines allows. */
  readonly proveCausal?: number | true
  readonly certifyWarmup?: boolean
}

/**
 * Answers questions about a backtest in words; resolves to exit code 0 if all is well, otherwise to 1,
 * rejects with `Interrupted` at SIGINT. With several markets the future of all is replaced together, and the
 * warm-up of each is certified separately, with the whole account for itself.
 */
export function trustCommand(
  options: BacktestCommandOptions,
  questions: TrustQuestions,
  streams: Pick<OutputStreams, 'out' | 'err'>,
): Promise<number> {
  return interruptible(async () => {
    const asked = await readAsked(options)
    const { proveCausal: cuts, certifyWarmup = false } = questions
    const causal = cuts === undefined ? true : await prove(asked, cuts, options.seed, streams)
    const certified = certifyWarmup ? await certifyAll(asked, options.seed, streams) : true
    return causal && certified ? 0 : 1
  })
}

/** The backtest in question. */
interface Asked {
  readonly backtest: BacktestOptions | MarketsBacktestOptions
  /** Its inputs by market, and their strategy files. */
  readonly inputs: readonly BacktestInput[]
  readonly files: readonly string[]
}

async function readAsked(options: BacktestCommandOptions): Promise<Asked> {
  const { markets = [] } = options
  if (markets.length < 2) {
    const backtest = await readBacktestInput(options)
    return { backtest, inputs: [backtest], files: [options.strategy] }
  }
  const inputs = await readMarkets({ ...options, markets })
  const files = [...new Set(markets.map(({ strategy }) => strategy))]
  return { backtest: marketsBacktest(inputs), inputs, files }
}

async function prove(
  { backtest, inputs, files }: Asked,
  wanted: number | true,
  seed: number,
  { out, err }: Pick<OutputStreams, 'out' | 'err'>,
): Promise<boolean> {
  const reached = files.map(file => strategyFiles(file, PROJECT_FOLDER))
  const reaches = [...new Set(reached.flatMap(({ outside, unresolved }) => [...outside, ...unresolved]))]
  const [longest, all] = inputs.reduce(
    ([most, sum], { klines: { length } }) => [Math.max(most, length), sum + length],
    [0, 0],
  )
  const moments = wanted === true ? affordableMoments(longest) : wanted
  // All klines four times, and on average half of them per cut.
  const klines = all * (4 + moments / 2)
  const cuts = wanted === true ? undefined : wanted
  const proof = await withProgress(proveCausal({ backtest, cuts, seed }), klines, err)
  const [{ klines: shown }] = inputs as [BacktestInput] // at least one
  const names = [...new Set(inputs.map(({ strategy }) => strategy.name))].join(', ')
  out.write(`${causalText(names, proof, shown, reaches)}\n`)
  return proof.leak === undefined && reaches.length === 0
}

async function certifyAll(
  { inputs }: Asked,
  seed: number,
  { out, err }: Pick<OutputStreams, 'out' | 'err'>,
): Promise<boolean> {
  let isCertified = true
  for (const input of inputs) {
    const { instrument, interval, strategy } = input
    if (inputs.length > 1) out.write(`\n${instrument.symbol} ${interval}\n`)
    const klines = certificateWork(input.klines.length)
    const certificate = await withProgress(certifyWarmUp({ backtest: input, seed }), klines, err)
    out.write(`${warmUpText(strategy.name, certificate)}\n`)
    if (certificateVerdict(certificate) !== 'certified') isCertified = false
  }
  return isCertified
}

async function withProgress<Result>(
  work: Resumable<Result>,
  klines: number,
  err: OutputStreams['err'],
): Promise<Result> {
  const progress = new RunProgress(err)
  try {
    await progress.playing(Math.round(klines))
    return await inTurns(work, played => progress.add(played))
  } finally {
    progress.stop()
  }
}
