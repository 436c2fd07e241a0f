import type { Command } from 'commander'
import type { OnExitCode, Streams } from './command-line.ts'
import { assignmentOption, timeOption, wholeNumberOption } from './option-values.ts'

interface Given {
  readonly data: string
  readonly symbol: string
  readonly interval: string
  readonly param?: Readonly<Record<string, string>>
  readonly config: string
  readonly from?: number
  readonly to?: number
  readonly json?: string
  readonly seed: number
}

/** Adds `backtest` to the program. */
export function defineBacktest(program: Command, streams: Streams, onExitCode: OnExitCode): void {
  program
    .command('backtest')
    .description('Play klines to a strategy, and report what it would have earned.')
    .argument('<strategy>', 'strategy file, such as strategies/sma-cross.ts')
    .requiredOption('--data <file>', 'klines: .csv or .csv.gz')
    .requiredOption('--symbol <symbol>', 'what the klines are of, such as BTC/USDT')
    .requiredOption('--interval <interval>', 'length of a kline, such as 1m or 1h')
    .option('--param <name=value>', 'a parameter of the strategy; once for each', assignmentOption)
    .option('--config <file>', 'configuration of the backtest', 'config/backtest.yaml')
    .option('--from <time>', 'first open time: an ISO date or time in UTC, or ms since 1970', timeOption)
    .option('--to <time>', 'end, not included', timeOption)
    .option(
      '--json <file>',
      'write the result as JSON to a file, or to the output for -, instead of the table',
    )
    .option('--seed <number>', 'seed of all that is random', wholeNumberOption(0), 1)
    .action(async (strategy: string, { param = {}, ...options }: Given) => {
      const { runBacktestCommand } = await import('./backtest-command.ts')
      onExitCode(await runBacktestCommand({ ...options, strategy, parameters: param }, streams))
    })
}
