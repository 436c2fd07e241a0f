import { Command } from 'commander'
import { defineBacktest } from './backtest/define-backtest.ts'
import { defineBot } from './bot/define-bot.ts'
import { defineDoctor } from './bot/define-doctor.ts'
import { defineReplay } from './bot/define-replay.ts'
import { defineStart } from './bot/define-start.ts'
import { endQuietlyWhenClosed } from './bot/quiet-end.ts'
import { defineNewStrategy } from './define-new-strategy.ts'
import { defineSchema } from './define-schema.ts'
import { defineExchange } from './exchange/define-exchange.ts'
import { failureOf } from './failure.ts'
import { defineKlines } from './klines/define-klines.ts'
import type { OnExitCode, Streams } from './streams.ts'
import { requireNothingSwallowed } from './swallowed-options.ts'

/**
 * Runs the command in `args`; resolves to the exit code: 0 for success, 2 for errors that the user can
 * correct, 1 for other failures.
 */
export async function runCommandLine(args: readonly string[], streams: Streams): Promise<number> {
  endQuietlyWhenClosed(streams)
  let exitCode = 0
  const program = programOf(streams, code => {
    exitCode = code
  })
  try {
    requireNothingSwallowed(program, args, process.env)
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    const failure = failureOf(error)
    streams.err.write(failure.text)
    return failure.exitCode
  }
}

/** The command line with all its commands. */
export function programOf(streams: Streams, onExitCode: OnExitCode): Command {
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
  defineStart(program, streams, onExitCode)
  defineBacktest(program, streams, onExitCode)
  defineKlines(program, streams, onExitCode)
  defineExchange(program, streams, onExitCode)
  defineReplay(program, streams, onExitCode)
  defineBot(program, streams, onExitCode)
  defineDoctor(program, streams, onExitCode)
  defineNewStrategy(program, streams, onExitCode)
  defineSchema(program, streams, onExitCode)
  return program
}
