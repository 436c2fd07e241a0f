import { type Command, Option } from 'commander'
import { utcText } from '../../domain/market-data/civil-date.ts'
import type { GenerateCommandOptions } from '../klines/generate-command.ts'
import { GENERATED_SPAN, USUAL_MARKET } from '../klines/generated-market.ts'
import { positiveNumberOption, timeOption, wholeNumberOption } from '../option-values.ts'
import { storeOption } from '../store-option.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'

/** Adds `klines generate`. */
export function defineGenerate(klines: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  klines
    .command('generate')
    .description('Put klines of a made-up market into the store, to try things on; its venue is "generated".')
    .option('--symbol <symbol>', 'symbol of the klines', 'BTC/USDT')
    .option('--interval <interval>', 'length of a kline, such as 1m or 1h', '1h')
    .addOption(
      new Option('--from <time>', 'first open time: an ISO date or time in UTC, or ms since 1970')
        .argParser(timeOption)
        .default(GENERATED_SPAN.from, utcText(GENERATED_SPAN.from)),
    )
    .addOption(
      new Option('--to <time>', 'end, not included')
        .argParser(timeOption)
        .default(GENERATED_SPAN.to, utcText(GENERATED_SPAN.to)),
    )
    .option(
      '--seed <number>',
      'seed of the market; another seed gives another market',
      wholeNumberOption(0),
      USUAL_MARKET.seed,
    )
    .option(
      '--start-price <price>',
      'price of the first kline',
      positiveNumberOption,
      USUAL_MARKET.startPrice,
    )
    .option(
      '--yearly-volatility <rate>',
      'deviation of the returns of a year (0.6 is 60%)',
      positiveNumberOption,
      USUAL_MARKET.yearlyVolatility,
    )
    .addOption(storeOption())
    .option('--json', 'write one JSON object', false)
    .action(async (options: GenerateCommandOptions) => {
      const { runGenerate } = await import('../klines/generate-command.ts')
      onExitCode(await runGenerate(options, streams))
    })
}
