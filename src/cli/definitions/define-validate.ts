import type { Command } from 'commander'
import { assignmentOption } from '../option-values.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'
import { addWindowOptions, type GivenWindows, requireNoResume } from './define-walk-forward.ts'
import { namesGiven } from './input-options.ts'
import { addSearchOptions, type GivenSearch, readSearch } from './search-options.ts'

interface Given extends GivenSearch, GivenWindows {
  readonly also?: Readonly<Record<string, string>>
  readonly json?: string
  readonly html?: string
}

/** Adds `validate` to the program. */
export function defineValidate(program: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  const command = program
    .command('validate')
    .description('Judge whether a strategy has an edge: exit code 0 for an edge, 3 undecided, 4 for none.')
    .argument('<strategy>', 'strategy file, such as strategies/sma-cross.ts')
  addWindowOptions(addSearchOptions(command), 'as the configuration says')
    .option(
      '--also <symbol=file>',
      'klines of another instrument that the best parameters are tried on as well; once for each',
      (text: string, before?: Readonly<Record<string, string>>) =>
        assignmentOption(text, before, 'SYMBOL=FILE, such as ETH/USDT=eth.csv'),
    )
    .option(
      '--json <file>',
      'write the result as JSON to a file, or to the output for -, instead of the text',
    )
    .option('--html <file>', 'write an HTML page with charts and every trial to a file as well')
    .action(async (strategy: string, given: Given, own: Command) => {
      onExitCode(await runGiven(strategy, given, own, streams))
    })
}

async function runGiven(
  strategy: string,
  given: Given,
  command: Command,
  streams: OutputStreams,
): Promise<number> {
  const { windows, train, test, purge, embargo = 0, anchored = false, also = {}, json, html } = given
  requireNoResume(namesGiven(command))
  const request = await readSearch(strategy, given, command)
  const { validateCommand } = await import('../research/validate-command.ts')
  const asked = { windows, train, test, purge, embargo, isAnchored: anchored }
  return validateCommand({ ...request, asked, also, json, html }, streams)
}
