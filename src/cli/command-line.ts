import { Command } from 'commander'
import { endQuietlyWhenClosed } from './bot/quiet-end.ts'
import { type CommandLoaders, definitionsOf } from './command-definition.ts'
import { failureOf } from './failure.ts'
import { klinesDefinition } from './klines/klines-commands.ts'
import type { OnExitCode, OutputStreams } from './streams.ts'
import { requireNothingSwallowed } from './swallowed-options.ts'

/**
 * Runs the command in `args`; resolves to the exit code: 0 for success, 2 for errors that the user can
 * correct, 1 for other failures.
 */
export async function runCommandLine(args: readonly string[], streams: OutputStreams): Promise<number> {
  endQuietlyWhenClosed(streams)
  let exitCode = 0
  try {
    const program = await programOf(args, streams, code => {
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

/** Loaders of the commands; `inner` is the name after that of the command. */
function commandsWith(inner: string | undefined): CommandLoaders {
  return {
    start: async () => (await import('./bot/start-command.ts')).defineStart,
    backtest: async () => (await import('./backtest/define-backtest.ts')).defineBacktest,
    klines: () => klinesDefinition(inner),
    exchange: async () => (await import('./exchange/exchange-command.ts')).defineExchange,
    replay: async () => (await import('./bot/replay-command.ts')).defineReplay,
    bot: async () => (await import('./bot/bot-command.ts')).defineBot,
    doctor: async () => (await import('./bot/doctor-command.ts')).defineDoctor,
    'new-strategy': async () => (await import('./define-new-strategy.ts')).defineNewStrategy,
    schema: async () => (await import('./define-schema.ts')).defineSchema,
  }
}

/** The command line with the command that `args` name, or with all commands if they name none. */
export async function programOf(
  [name, inner]: readonly string[],
  streams: OutputStreams,
  onExitCode: OnExitCode,
): Promise<Command> {
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
  const definitions = await definitionsOf(commandsWith(inner), name)
  for (const define of definitions) define(program, streams, onExitCode)
  return program
}
