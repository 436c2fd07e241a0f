import type { Command } from 'commander'
import { timeOption } from '../option-values.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'

interface Given {
  readonly html: string
  readonly from?: number
  readonly store?: string
  readonly venue?: string
}

/** Adds `report` to the program. */
export function defineReport(program: Command, { out }: OutputStreams, onExitCode: OnExitCode): void {
  program
    .command('report')
    .description(
      'Write the report of a bot from its journal: the page of a backtest, of what really happened.',
    )
    .argument('<journal>', 'the journal of a bot, also of one that is running')
    .requiredOption('--html <file>', 'file for the page, which opens in a browser')
    .option('--from <time>', 'begin at this time, such as 2024-05-01 (UTC)', timeOption)
    .option('--store <folder>', 'fill klines that the journal lacks from this kline store')
    .option('--venue <name>', 'venue in that store, needed only if several have the klines')
    .action(async (journal: string, given: Given) => {
      const { runReport } = await import('../live-report/report-command.ts')
      onExitCode(await runReport({ journal, ...given }, out))
    })
}
