import { Command } from 'commander'
import { endQuietlyWhenClosed } from './bot/quiet-end.ts'
import { defineBacktest } from './definitions/define-backtest.ts'
import { defineBackup } from './definitions/define-backup.ts'
import { defineBot } from './definitions/define-bot.ts'
import { defineCompare } from './definitions/define-compare.ts'
import { defineDoctor } from './definitions/define-doctor.ts'
import { defineExchange } from './definitions/define-exchange.ts'
import { defineKlines } from './definitions/define-klines.ts'
import { defineNewStrategy } from './definitions/define-new-strategy.ts'
import { defineNotify } from './definitions/define-notify.ts'
import { defineOptimize } from './definitions/define-optimize.ts'
import { definePaper } from './definitions/define-paper.ts'
import { defineRecord } from './definitions/define-record.ts'
import { defineReplay } from './definitions/define-replay.ts'
import { defineReport } from './definitions/define-report.ts'
import { defineSchema } from './definitions/define-schema.ts'
import { defineStart } from './definitions/define-start.ts'
import { defineStudies } from './definitions/define-studies.ts'
import { defineValidate } from './definitions/define-validate.ts'
import { defineView } from './definitions/define-view.ts'
import { defineWalkForward } from './definitions/define-walk-forward.ts'
import { defineWorker } from './definitions/define-worker.ts'
import { failureOf } from './failure.ts'
import type { OnExitCode, OutputStreams } from './streams.ts'
import { requireNothingSwallowed } from './swallowed-options.ts'

/**
 * Runs the command in `args`; resolves to the exit code: 0 for success, 2 for errors that the user can
 * correct, 1 for other failures; `validate` also has 3 and 4.
 */
export async function runCommandLine(args: readonly string[], streams: OutputStreams): Promise<number> {
  endQuietlyWhenClosed(streams)
  let exitCode = 0
  try {
    const program = programOf(streams, code => {
      exitCode = code
    })
    requireNothingSwallowed(program, args, process.env)
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    const failure = failureOf(error)
    streams.err.write(failure.text)
    return failure.exitCode
  }
}

/** Definitions of the commands, in the order of the help; each loads its implementation when it runs. */
const DEFINITIONS = [
  defineStart,
  defineBacktest,
  defineOptimize,
  defineWorker,
  defineStudies,
  defineWalkForward,
  defineValidate,
  defineKlines,
  defineRecord,
  defineExchange,
  defineReplay,
  defineBackup,
  defineCompare,
  defineReport,
  defineView,
  definePaper,
  defineBot,
  defineNotify,
  defineDoctor,
  defineNewStrategy,
  defineSchema,
]

export function programOf(streams: OutputStreams, onExitCode: OnExitCode): Command {
  const program = new Command('sluice')
    .description('Backtests trading strategies, and trades them on an exchange.')
    .helpCommand(false)
    // Commands inherit these settings, so they come first.
    .exitOverride()
    .configureOutput({
      writeOut: text => streams.out.write(text),
      writeErr: text => streams.err.write(text),
    })
    .showHelpAfterError('Add --help to see what can be given.')
  for (const define of DEFINITIONS) define(program, streams, onExitCode)
  return program
}
