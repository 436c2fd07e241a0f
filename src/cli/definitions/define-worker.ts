import type { Command } from 'commander'
import { wholeNumberOption } from '../option-values.ts'
import { type RedisAccess, redisOption } from '../redis-access.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'

interface Given {
  readonly queue: RedisAccess
  readonly jobs?: number
}

/** Adds `worker` to the program. */
export function defineWorker(program: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  program
    .command('worker')
    .description('Run the trials of searches on other machines, which hand them over by Redis.')
    .requiredOption('--queue <url>', 'address of Redis, such as redis://127.0.0.1:6379', redisOption)
    .option(
      '--jobs <number>',
      'threads that run trials; default: one for each processor',
      wholeNumberOption(1, 256),
    )
    .action(async ({ queue, jobs }: Given) => {
      const { workerCommand } = await import('../research/queue/worker-command.ts')
      onExitCode(await workerCommand({ queue, jobs }, streams))
    })
}
