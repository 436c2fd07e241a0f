import { type Command, Option } from 'commander'
import { PATH_POLICIES, type PathPolicy } from '../../../backtest/models/fill-settings.ts'
import { QUEUE_ASSUMPTIONS, type QueueAssumption } from '../../matching/queue-assumption.ts'
import type { BacktestCommandOptions, MarketOptions } from '../backtest/backtest-command-options.ts'
import { GAP_POLICIES, type GapPolicy } from '../backtest/gap-policy.ts'
import { assignmentOption, timeOption, wholeNumberOption } from '../option-values.ts'
import { storeOption } from '../store-option.ts'

/** Options that say what a backtest plays, as commander gives them. */
export interface GivenInputs {
  readonly data?: string
  readonly book?: string
  readonly ticks?: boolean
  readonly funding?: string
  readonly store: string
  readonly venue?: string
  readonly gaps: GapPolicy
  readonly symbol?: string
  readonly interval?: string
  readonly market?: Readonly<Record<string, string>>
  readonly feedData?: Readonly<Record<string, string>>
  readonly config: string
  readonly path?: PathPolicy
  readonly queue?: QueueAssumption | undefined
  readonly detail?: string
  readonly detailData?: string
  readonly from?: number
  readonly to?: number
  readonly seed: number
}

/** `--param` of a command, once for each parameter. */
export function parameterOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(assignmentOption)
}

/** `--queue`: the place of resting orders on recorded ticks. */
function placeOption(): Option {
  return new Option(
    '--queue <place>',
    'place of resting orders at their price on recorded ticks; overrides the configuration',
  ).choices(QUEUE_ASSUMPTIONS)
}

/** Adds the options that say what a backtest plays, `parameters` among them; those of a `search` have one symbol. */
export function addInputOptions(
  command: Command,
  parameters: Option,
  search?: {
    /** `--queue`, which may say more than a place. */
    readonly queue: Option
  },
): Command {
  const several = (text: string) => (search === undefined ? text : '')
  return command
    .option(
      '--data <file>',
      `a file of klines, or of public trades, instead of klines in the store${several('; of several symbols one each, with commas')}`,
    )
    .option(
      '--ticks',
      'play the trades of the store (npm run record) instead of klines, with their best prices',
    )
    .option('--funding <venue>', 'venue of the store whose funding rates contracts pay')
    .option('--book <file>', 'best bids and asks that were recorded with the trades of --data')
    .addOption(storeOption())
    .option('--venue <name>', 'venue of the stored klines, if several have them')
    .option(
      '--symbol <symbol>',
      `what the klines are of, such as BTC/USDT${several(', or several: BTC/USDT,ETH/USDT')}`,
    )
    .option('--interval <interval>', 'length of a kline, such as 1m or 1h')
    .addOption(
      new Option('--gaps <policy>', 'absent klines: fail, skip them, or fill them with flat ones')
        .choices(GAP_POLICIES)
        .default('fail'),
    )
    .addOption(parameters)
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
    .addOption(search?.queue ?? placeOption())
    .option('--detail <interval>', 'stored klines of a finer interval that show the path inside a kline')
    .option(
      '--detail-data <file>',
      `a file of these finer klines${several('; of several markets one each, with commas')}`,
    )
    .option('--from <time>', 'first open time: an ISO date or time in UTC, or ms since 1970', timeOption)
    .option('--to <time>', 'end, not included', timeOption)
    .option('--seed <number>', 'seed of all that is random', wholeNumberOption(0), 1)
}

/** Markets and data that a backtest plays, of the options given; throws `UsageError` for markets that do not match. */
export async function readInputs(
  strategy: string | undefined,
  inputs: GivenInputs,
  parameters: Readonly<Record<string, string>>,
  command: Command,
): Promise<() => BacktestCommandOptions> {
  // Imported only here: reading a configuration takes more memory than other commands need.
  const { marketsInConfig, marketsOnLine } = await import('../backtest/input/given-markets.ts')
  const { symbol, interval } = inputs
  const given = { ...inputs, parameters }
  return () => {
    const markets =
      strategy === undefined
        ? (marketsInConfig(given) ?? command.error("error: missing required argument 'strategy'"))
        : marketsOnLine({
            ...given,
            strategy,
            symbol: symbol ?? missing(command, '--symbol <symbol>'),
            interval: interval ?? missing(command, '--interval <interval>'),
          })
    const { book, ticks, funding, gaps, config, path, queue, detail, from, to, seed } = inputs
    return {
      ...(book !== undefined && { book }),
      ...(ticks !== undefined && { ticks }),
      ...(funding !== undefined && { funding }),
      ...(path !== undefined && { path }),
      ...(queue !== undefined && { queue }),
      ...(detail !== undefined && { detail }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...{ gaps, config, seed },
      // There is at least one market.
      ...(markets[0] as MarketOptions),
      markets,
    }
  }
}

/** Commander cannot require an option only in the absence of another one. */
function missing(command: Command, flags: string): never {
  return command.error(`error: required option '${flags}' not specified`)
}

/** The options that were given on the command line, as `--data`. */
export function namesGiven(command: Command): ReadonlySet<string> {
  const given = command.options.filter(
    option => command.getOptionValueSource(option.attributeName()) === 'cli',
  )
  return new Set(given.map(option => option.long ?? option.flags))
}
