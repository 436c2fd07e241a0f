import { type Command, Option } from 'commander'
import { KLINE_FORMATS } from '../../klines/formats/kline-format.ts'
import type { CheckCommandOptions } from '../klines/check-command.ts'
import { storeOption } from '../store-option.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'

/** Adds `klines check`. */
export function defineCheck(klines: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  klines
    .command('check')
    .description(
      'Look for gaps, duplicates, disorder, odd times and impossible numbers (exit code 1 if there are any), and for klines without volume and outliers (which are only reported).',
    )
    .option('--data <files...>', 'files of klines, instead of those in the store; patterns too')
    .addOption(
      new Option('--format <format>', 'format of the files; default: detected from the content').choices(
        KLINE_FORMATS,
      ),
    )
    .addOption(storeOption())
    .option('--venue <name>', 'only this venue of the store')
    .option('--symbol <symbol>', 'only this symbol of the store')
    .option('--interval <interval>', 'only this interval of the store, or the interval of the files')
    .option('--json', 'write one JSON object, with everything that was found', false)
    .action(async (options: CheckCommandOptions) => {
      const { runCheck } = await import('../klines/check-command.ts')
      onExitCode(await runCheck(options, streams))
    })
}
