import type { Command } from 'commander'
import { fractionOption, timeOption } from '../option-values.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'

interface Given {
  readonly from?: number
  readonly slippage: number
  readonly bound: number
  readonly json: boolean
}

/** Adds `compare` to the program. */
export function defineCompare(program: Command, { out }: OutputStreams, onExitCode: OnExitCode): void {
  program
    .command('compare')
    .description('Compare what a bot did with the backtest of what it has seen, order by order.')
    .argument('<journal>', 'the journal of a bot, also of one that is running')
    .option('--from <time>', 'compare from this time on, such as 2024-05-01 (UTC)', timeOption)
    .option(
      '--slippage <rate>',
      'fraction of the price that the backtest loses at market',
      fractionOption,
      0.0002,
    )
    .option(
      '--bound <rate>',
      'largest difference that is fine, as a fraction of what live turned over',
      fractionOption,
      0.001,
    )
    .option('--json', 'write one JSON object', false)
    .action(async (journal: string, given: Given) => {
      const { runCompare } = await import('../compare/compare-command.ts')
      onExitCode(await runCompare({ journal, ...given }, out))
    })
}
