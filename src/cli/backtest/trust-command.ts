import { causalText } from '../../../backtest/trust/causal-text.ts'
import { certifyWarmUp } from '../../../backtest/trust/certify-warm-up.ts'
import { proveCausal } from '../../../backtest/trust/prove-causal.ts'
import { strategyFiles } from '../../../backtest/trust/strategy-files.ts'
import { warmUpText } from '../../../backtest/trust/warm-up-text.ts'
import type { BacktestCommandOptions } from '../backtest-command.ts'
import { type BacktestInput, readBacktestInput } from '../backtest-input.ts'
import type { Streams } from '../command-line.ts'
import { progressBar } from '../progress-bar.ts'
import { PROJECT_FOLDER } from '../project.ts'
import { readMarkets } from './markets-report.ts'

/** What to find out about a backtest, instead of its report. */
export interface TrustQuestions {
  /** At how many moments the future is replaced. */
  readonly proveCausal?: number
  readonly certifyWarmup?: boolean
}

/**
 * Answers questions about a backtest in words; resolves to exit code 0 where all is well, to 1 where something is not. Of
 * several markets each is asked about by itself, with the account all its own.
 */
export async function trustCommand(
  options: BacktestCommandOptions,
  questions: TrustQuestions,
  streams: Pick<Streams, 'out' | 'err'>,
): Promise<number> {
  const { markets = [] } = options
  if (markets.length < 2) return answer(options, await readBacktestInput(options), questions, streams)
  const inputs = await readMarkets({ ...options, markets })
  streams.out.write(
    'Each market by itself; what one strategy tells another outside of Sluice is not looked at.\n',
  )
  let exitCode = 0
  for (const [index, input] of inputs.entries()) {
    const { instrument, interval } = input
    streams.out.write(`\n${instrument.symbol} ${interval}\n`)
    const own = { ...options, ...markets[index] }
    exitCode = Math.max(exitCode, await answer(own, input, questions, streams))
  }
  return exitCode
}

async function answer(
  options: BacktestCommandOptions,
  input: BacktestInput,
  { proveCausal: cuts, certifyWarmup = false }: TrustQuestions,
  { out, err }: Pick<Streams, 'out' | 'err'>,
): Promise<number> {
  let exitCode = 0
  if (cuts !== undefined) exitCode = Math.max(exitCode, await prove(options, input, cuts, { out, err }))
  if (certifyWarmup) exitCode = Math.max(exitCode, certify(options, input, out))
  return exitCode
}

async function prove(
  { strategy, seed }: BacktestCommandOptions,
  input: BacktestInput,
  cuts: number,
  { out, err }: Pick<Streams, 'out' | 'err'>,
): Promise<number> {
  const { outside, unresolved } = strategyFiles(strategy, PROJECT_FOLDER)
  // About half of the klines for each cut, which lies anywhere.
  const progress = await progressBar(err, Math.round(input.klines.length * (2 + cuts / 2)))
  try {
    const proof = proveCausal({ backtest: input, cuts, seed, onProgress: done => progress.update(done) })
    progress.stop()
    const reaches = [...outside, ...unresolved]
    out.write(`${causalText(input.strategy.name, proof, input.klines, reaches)}\n`)
    return proof.leak === undefined && reaches.length === 0 ? 0 : 1
  } finally {
    progress.stop()
  }
}

function certify({ seed }: BacktestCommandOptions, input: BacktestInput, out: Streams['out']): number {
  const certificate = certifyWarmUp({ backtest: input, seed })
  out.write(`${warmUpText(input.strategy.name, certificate)}\n`)
  const { needed, declared } = certificate
  return needed !== undefined && needed <= declared ? 0 : 1
}
