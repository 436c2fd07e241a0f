import { type Command, InvalidArgumentError, Option } from 'commander'
import { UsageError } from '../../domain/sluice-error.ts'
import { wholeNumberOption } from '../option-values.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'
import { namesGiven } from './input-options.ts'
import { addSearchOptions, type GivenSearch, readSearch } from './search-options.ts'

/** Options of windows, as commander gives them. */
export interface GivenWindows {
  readonly windows?: number
  readonly train?: number
  readonly test?: number
  readonly purge?: number
  readonly embargo?: number
  readonly anchored?: boolean
}

interface Given extends GivenSearch, GivenWindows {
  readonly combinatorial?: { readonly folds: number; readonly testFolds: number }
  readonly json?: string
  readonly html?: string
}

/** Windows of a walk-forward that says no number. */
const WINDOWS = 8

/** Adds the options of windows; `byDefault` says how many there are otherwise. */
export function addWindowOptions(command: Command, byDefault: string): Command {
  return command
    .option('--windows <number>', `windows, one after the other; default: ${byDefault}`, wholeNumberOption(1))
    .option('--train <klines>', 'length of a training; default: three tests', wholeNumberOption(1))
    .option('--test <klines>', 'length of a test; default: what so many windows leave', wholeNumberOption(1))
    .option(
      '--purge <klines>',
      'klines left out between training and test; default: the longest holding time seen, at most a test',
      wholeNumberOption(0),
    )
    .option('--embargo <klines>', 'klines left out after that; default: none', wholeNumberOption(0))
    .option('--anchored', 'every training begins with the first kline, and grows')
    .addOption(new Option('--resume').hideHelp())
}

/** Throws `UsageError` for `--resume`, which only a search has. */
export function requireNoResume(names: ReadonlySet<string>): void {
  if (names.has('--resume'))
    throw new UsageError(
      '--resume is an option of npm run optimize. This command goes on when it is given again as it was, because no trial of the study is run twice; leave --resume out.',
    )
}

/** Adds `walk-forward` to the program. */
export function defineWalkForward(program: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  const command = program
    .command('walk-forward')
    .description('Search parameters on one part of the data and test them on the next, window by window.')
    .argument('<strategy>', 'strategy file, such as strategies/sma-cross.ts')
  addWindowOptions(addSearchOptions(command), `${WINDOWS}`)
    .option(
      '--combinatorial <folds:tested>',
      'instead of windows: every choice of tested folds, such as 6:2, with the others to train on',
      foldsOption,
    )
    .option(
      '--json <file>',
      'write the result as JSON to a file, or to the output for -, instead of the text',
    )
    .option('--html <file>', 'write an HTML page with charts to a file as well')
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
  const {
    windows = WINDOWS,
    train,
    test,
    purge,
    embargo,
    anchored = false,
    combinatorial,
    json,
    html,
  } = given
  const names = namesGiven(command)
  requireNoResume(names)
  requireOneKind(names)
  const request = await readSearch(strategy, given, command)
  const { walkForwardCommand } = await import('../research/walk-forward-command.ts')
  const asked = { windows, train, test, purge, embargo, isAnchored: anchored }
  return walkForwardCommand({ ...request, asked, combinatorial, json, html }, streams)
}

const OF_WINDOWS = ['--windows', '--train', '--test', '--anchored']

function requireOneKind(names: ReadonlySet<string>): void {
  const other = OF_WINDOWS.find(name => names.has(name))
  if (names.has('--combinatorial') && other !== undefined)
    throw new UsageError(
      `--combinatorial and ${other} contradict each other: folds are no windows; leave one out.`,
    )
  if (names.has('--windows') && names.has('--train') && names.has('--test'))
    throw new UsageError(
      '--windows, --train and --test contradict each other: the lengths say how many windows there are; leave one out.',
    )
}

/** Parses folds and tested folds, as in 6:2. */
function foldsOption(text: string): { readonly folds: number; readonly testFolds: number } {
  const [, folds, testFolds] = /^(\d+):(\d+)$/.exec(text) ?? []
  if (folds === undefined || testFolds === undefined)
    throw new InvalidArgumentError('Write folds:tested, such as 6:2.')
  return { folds: Number(folds), testFolds: Number(testFolds) }
}
