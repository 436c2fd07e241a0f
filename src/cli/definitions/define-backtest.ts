import { type Command, Option } from 'commander'
import { PATH_POLICIES, type PathPolicy } from '../../../backtest/models/fill-settings.ts'
import { QUEUE_ASSUMPTIONS, type QueueAssumption } from '../../matching/queue-assumption.ts'
import type { BacktestCommandOptions, MarketOptions } from '../backtest/backtest-command-options.ts'
import { GAP_POLICIES, type GapPolicy } from '../backtest/gap-policy.ts'
import { requireNoContradiction, requireOnlyVerify } from '../backtest/input/contradictions.ts'
import { assignmentOption, timeOption, wholeNumberOption } from '../option-values.ts'
import { storeOption } from '../store-option.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'

interface Given {
  readonly data?: string
  readonly book?: string
  readonly ticks?: boolean
  readonly funding?: string
  readonly store: string
  readonly venue?: string
  readonly gaps: GapPolicy
  readonly symbol?: string
  readonly interval?: string
  readonly param?: Readonly<Record<string, string>>
  readonly market?: Readonly<Record<string, string>>
  readonly feedData?: Readonly<Record<string, string>>
  readonly config: string
  readonly path?: PathPolicy
  readonly queue?: QueueAssumption
  readonly detail?: string
  readonly detailData?: string
  readonly bounds?: boolean
  readonly from?: number
  readonly to?: number
  readonly json?: string
  readonly csv?: string
  readonly html?: string
  readonly seed: number
  readonly proveCausal?: number | true
  readonly certifyWarmup?: boolean
  readonly verify?: string
  readonly watch?: boolean
}

/** Adds `backtest` to the program. */
export function defineBacktest(program: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  program
    .command('backtest')
    .description('Play klines to a strategy, and report what it would have earned.')
    .argument(
      '[strategy]',
      'strategy file, such as strategies/sma-cross.ts; without it, the configuration lists them',
    )
    .option(
      '--data <file>',
      'a file of klines, or of public trades, instead of klines in the store; of several symbols one each, with commas',
    )
    .option(
      '--ticks',
      'play the trades of the store (npm run record) instead of klines, with their best prices',
    )
    .option('--funding <venue>', 'venue of the store whose funding rates contracts pay')
    .option(
      '--book <file>',
      'best bids and asks that were recorded with the trades of --data; of several symbols one each, with commas',
    )
    .addOption(storeOption())
    .option('--venue <name>', 'venue of the stored klines, if several have them')
    .option('--symbol <symbol>', 'what the klines are of, such as BTC/USDT, or several: BTC/USDT,ETH/USDT')
    .option('--interval <interval>', 'length of a kline, such as 1m or 1h')
    .addOption(
      new Option('--gaps <policy>', 'absent klines: fail, skip them, or fill them with flat ones')
        .choices(GAP_POLICIES)
        .default('fail'),
    )
    .option('--param <name=value>', 'a parameter of the strategy; once for each', assignmentOption)
    .option(
      '--market <role=symbol>',
      'the instrument of a role of the strategy, such as hedge=ETH/USDT; once for each',
      assignmentOption,
    )
    .option(
      '--feed-data <name=file>',
      'a file of klines for a role or a feed, instead of those in the store; once for each',
      assignmentOption,
    )
    .option('--config <file>', 'configuration of the backtest', 'config/backtest.yaml')
    .addOption(
      new Option('--path <path>', 'path inside a kline; overrides the configuration').choices(PATH_POLICIES),
    )
    .addOption(
      new Option(
        '--queue <place>',
        'place of resting orders at their price on recorded ticks; overrides the configuration',
      ).choices(QUEUE_ASSUMPTIONS),
    )
    .option('--detail <interval>', 'stored klines of a finer interval that show the path inside a kline')
    .option('--detail-data <file>', 'a file of these finer klines; of several markets one each, with commas')
    .option('--bounds', 'also play the worst and the best path of each kline, and show both results')
    .option('--from <time>', 'first open time: an ISO date or time in UTC, or ms since 1970', timeOption)
    .option('--to <time>', 'end, not included', timeOption)
    .option(
      '--json <file>',
      'write the result as JSON to a file, or to the output for -, instead of the table',
    )
    .option('--csv <folder>', 'write round trips, fills and equity as CSV files into a folder')
    .option('--html <file>', 'write the report as one page of HTML that opens offline')
    .option('--seed <number>', 'seed of all that is random', wholeNumberOption(0), 1)
    .addOption(
      new Option(
        '--prove-causal [moments]',
        'replace the future at so many times, and check that no earlier decision changes',
      ).argParser(wholeNumberOption(1, 10_000)),
    )
    .option('--certify-warmup', 'find how much history the decisions need')
    .option('--watch', 'run again whenever strategy, its imports or the configuration are saved')
    .option('--verify <result>', 'run the backtest of a --json result again, and compare')
    .action(async (strategy: string | undefined, given: Given, command: Command) => {
      onExitCode(await runGiven(strategy, given, command, streams))
    })
}

async function runGiven(
  strategy: string | undefined,
  { param = {}, verify, proveCausal, certifyWarmup, watch, symbol, interval, ...options }: Given,
  command: Command,
  streams: OutputStreams,
): Promise<number> {
  const names = namesGiven(command)
  if (verify !== undefined) {
    requireOnlyVerify(names, strategy)
    const { verifyCommand } = await import('../backtest/verify-command.ts')
    return verifyCommand(verify, streams)
  }
  requireNoContradiction({ names, from: options.from, to: options.to, path: options.path })
  const given = { ...options, symbol, interval, parameters: param }
  // Imported only here: reading a configuration takes more memory than other commands need.
  const { marketsInConfig, marketsOnLine } = await import('../backtest/input/given-markets.ts')
  const readRun = (): BacktestCommandOptions => {
    const markets =
      strategy === undefined
        ? (marketsInConfig(given) ?? command.error("error: missing required argument 'strategy'"))
        : marketsOnLine({
            ...given,
            strategy,
            symbol: symbol ?? missing(command, '--symbol <symbol>'),
            interval: interval ?? missing(command, '--interval <interval>'),
          })
    const {
      data: _,
      book: _______,
      store: __,
      venue: ___,
      detailData: ____,
      market: _____,
      feedData: ______,
      ...common
    } = options
    // There is at least one market.
    return { ...common, ...(markets[0] as MarketOptions), markets }
  }
  if (watch === true) {
    const { watchCommand } = await import('../backtest/watch/watch-command.ts')
    return watchCommand(readRun, { strategy, config: options.config }, streams)
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

/** Commander cannot require an option only in the absence of another one. */
function missing(command: Command, flags: string): never {
  return command.error(`error: required option '${flags}' not specified`)
}

function namesGiven(command: Command): ReadonlySet<string> {
  const given = command.options.filter(
    option => command.getOptionValueSource(option.attributeName()) === 'cli',
  )
  return new Set(given.map(option => option.long ?? option.flags))
}
