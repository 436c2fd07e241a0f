import { type Command, Option } from 'commander'
import type { ResampleCommandOptions } from '../klines/resample-command.ts'
import { timeOption } from '../option-values.ts'
import { storeOption } from '../store-option.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'

/** Adds `klines resample`. */
export function defineResample(klines: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  klines
    .command('resample')
    .description('Make longer klines of shorter ones: of the store into the store, or of a file into a file.')
    .requiredOption('--interval <interval>', 'length of the klines there are, such as 1m')
    .requiredOption('--into <intervals...>', 'longer intervals to make, such as 1h 1d; weeks begin on Monday')
    .option('--symbol <symbol>', 'symbol of the stored klines')
    .option('--venue <name>', 'venue of the stored klines, if several have them')
    .addOption(storeOption())
    .option('--data <file>', 'a file of klines, instead of those in the store')
    .option('--out <file>', 'write a .csv, .csv.gz, .arrow, .feather or .parquet file, instead of the store')
    .addOption(
      new Option(
        '--incomplete <choice>',
        'longer klines that lack a shorter one: leave them out, or build them from the others',
      )
        .choices(['drop', 'keep'])
        .default('drop'),
    )
    .option('--from <time>', 'first open time: an ISO date or time in UTC, or ms since 1970', timeOption)
    .option('--to <time>', 'end, not included', timeOption)
    .option('--json', 'write JSON lines', false)
    .action(async (options: ResampleCommandOptions) => {
      const { runResample } = await import('../klines/resample-command.ts')
      onExitCode(await runResample(options, streams))
    })
}
