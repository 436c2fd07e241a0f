import { type Command, Option } from 'commander'
import type { BacktestOutputs } from '../backtest/backtest-output.ts'
import { requireNoContradiction, requireOnlyVerify } from '../backtest/input/contradictions.ts'
import { wholeNumberOption } from '../option-values.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'
import {
  addInputOptions,
  type GivenInputs,
  namesGiven,
  parameterOption,
  readInputs,
} from './input-options.ts'
import { addStudyOptions, type GivenStudy } from './study-options.ts'

interface Given extends GivenInputs, GivenStudy, BacktestOutputs {
  readonly param?: Readonly<Record<string, string>>
  readonly bounds?: boolean
  readonly proveCausal?: number | true
  readonly certifyWarmup?: boolean
  readonly verify?: string
  readonly watch?: boolean
}

/** Adds `backtest` to the program. */
export function defineBacktest(program: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  const command = program
    .command('backtest')
    .description('Play klines to a strategy, and report what it would have earned.')
    .argument(
      '[strategy]',
      'strategy file, such as strategies/sma-cross.ts; without it, the configuration lists them',
    )
  addInputOptions(
    command,
    parameterOption('--param <name=value>', 'a parameter of the strategy; once for each'),
  )
    .option('--bounds', 'also play the worst and the best path of each kline, and show both results')
    .option(
      '--json <file>',
      'write the result as JSON to a file, or to the output for -, instead of the table',
    )
    .option('--csv <folder>', 'write round trips, fills and equity as CSV files into a folder')
    .option('--html <file>', 'write the report as one page of HTML that opens offline')
    .addOption(
      new Option(
        '--prove-causal [moments]',
        'replace the future at so many times, and check that no earlier decision changes',
      ).argParser(wholeNumberOption(1, 10_000)),
    )
    .option('--certify-warmup', 'find how much history the decisions need')
    .option('--watch', 'run again whenever strategy, its imports or the configuration are saved')
    .option('--verify <result>', 'run the backtest of a --json result again, and compare')
  addStudyOptions(command).action(async (strategy: string | undefined, given: Given, own: Command) => {
    onExitCode(await runGiven(strategy, given, own, streams))
  })
}

async function runGiven(
  strategy: string | undefined,
  { param = {}, verify, proveCausal, certifyWarmup, watch, study, ...given }: Given,
  command: Command,
  streams: OutputStreams,
): Promise<number> {
  const names = namesGiven(command)
  if (verify !== undefined) {
    requireOnlyVerify(names, strategy)
    const { verifyCommand } = await import('../backtest/verify-command.ts')
    return verifyCommand(verify, streams)
  }
  requireNoContradiction({ names, from: given.from, to: given.to, path: given.path })
  const { bounds, json, csv, html } = given
  const outputs = {
    ...(bounds !== undefined && { bounds }),
    ...(json !== undefined && { json }),
    ...(csv !== undefined && { csv }),
    ...(html !== undefined && { html }),
    ...(study !== false && { study }),
  }
  const inputs = await readInputs(strategy, given, param, command)
  const readRun = () => ({ ...inputs(), ...outputs })
  if (watch === true) {
    const { watchCommand } = await import('../backtest/watch/watch-command.ts')
    return watchCommand(readRun, { strategy, config: given.config }, streams)
  }
  const run = readRun()
  if (proveCausal !== undefined || certifyWarmup === true) {
    const { trustCommand } = await import('../backtest/trust-command.ts')
    const questions = {
      ...(proveCausal !== undefined && { proveCausal }),
      ...(certifyWarmup !== undefined && { certifyWarmup }),
    }
    return trustCommand(run, questions, streams)
  }
  const { runBacktestCommand } = await import('../backtest/backtest-command.ts')
  return runBacktestCommand(run, streams)
}
