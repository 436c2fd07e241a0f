import { Command, Option } from 'commander'
import { durationOption, wholeNumberOption } from '../../../src/cli/option-values.ts'
import { DIALECT_NAMES } from '../../../src/simulator/dialects/dialects.ts'
import type { DialectChoice } from '../plan/dialect-plan.ts'
import type { MarginUse } from './seed-outcome.ts'

/** What a simulation is asked for. */
export interface SimulationOptions {
  readonly seeds: number
  readonly from: number
  /** No seed is waited for any more after so long, ms. */
  readonly for?: number
  readonly jobs: number
  readonly only?: 'spot' | 'futures' | 'both'
  readonly margin?: MarginUse
  /** `drawn`: one for each seed, of those that fit its accounts. */
  readonly dialect: DialectChoice
  readonly withoutJournal: boolean
  readonly whole: boolean
}

/** Reads the command line of `npm run simulate` (default: of this process); ends the process with a sentence and exit code 2 where it cannot be read. */
export function simulationOptions(given?: readonly string[]): SimulationOptions {
  return readOptions<SimulationOptions>(
    new Command('simulate')
      .description(
        'Plays whole bots against the simulated exchange on virtual time, and stops at the first violation.',
      )
      .option('--seeds <number>', 'how many seeds', wholeNumberOption(1), 100)
      .option('--from <number>', 'the first of them', wholeNumberOption(0), 1)
      .option('--for <duration>', 'play as many of them as fit in it, such as 2m', durationOption)
      .option(
        '--jobs <number>',
        'how many are played side by side, each on a thread of its own',
        wholeNumberOption(1),
        1,
      )
      .addOption(
        new Option('--only <accounts>', 'leave out seeds of other accounts').choices([
          'spot',
          'futures',
          'both',
        ]),
      )
      .addOption(
        new Option(
          '--margin <how>',
          'play the seeds of spot accounts, and no others: with a margin account instead, or with one beside',
        ).choices(['instead', 'beside'] satisfies readonly MarginUse[]),
      )
      .addOption(
        new Option(
          '--dialect <name>',
          'play on an exchange that answers like one host, and only seeds whose accounts it has; drawn: each seed draws one',
        )
          .choices(['drawn', ...DIALECT_NAMES])
          .default('drawn'),
      )
      .option('--without-journal', 'play several lives without a journal on one account instead', false)
      .option('--whole', 'tell everything that happens', false),
    given,
  )
}

/** Reads the options of a command that is a process of its own; ends the process where they cannot be read. */
export function readOptions<Options>(
  command: Command,
  given: readonly string[] = process.argv.slice(2),
): Options {
  return command
    .allowExcessArguments(false)
    .showHelpAfterError('Add --help to see what can be given.')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse(given, { from: 'user' })
    .opts<Options & Record<string, unknown>>()
}
