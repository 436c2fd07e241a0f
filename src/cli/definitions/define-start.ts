import type { Command } from 'commander'
import { durationOption } from '../option-values.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'

interface Given {
  readonly config: string
  readonly stopAfter?: number
  readonly plan: boolean
  readonly json: boolean
}

/** Adds `start` to the program. */
export function defineStart(program: Command, { out }: OutputStreams, onExitCode: OnExitCode): void {
  program
    .command('start')
    .description('Trade: on the simulated exchange, or on a real one, as the configuration says.')
    .option('--config <file>', 'configuration of the bot', 'config/paper.yaml')
    .option('--stop-after <duration>', 'stop after a time, such as 500ms, 60s, 5m or 1h', durationOption)
    .option('--plan', 'only show what would be polled of the exchange, and what that costs', false)
    .option('--json', 'write JSON lines instead of lines for people', false)
    .action(async ({ config, stopAfter, plan, json }: Given) => {
      if (plan) {
        const { runPlan } = await import('../bot/plan-command.ts')
        await runPlan({ config, json }, out)
        return
      }
      const { runStart } = await import('../bot/start-command.ts')
      const options = { config, json, ...(stopAfter !== undefined && { stopAfterMs: stopAfter }) }
      if (json || out.isTTY !== true) {
        onExitCode(await runStart(options, out))
        return
      }
      const { StatusLine } = await import('../bot/status-line.ts')
      const statusLine = new StatusLine(out)
      try {
        onExitCode(await runStart({ ...options, statusLine }, statusLine))
      } finally {
        statusLine.close()
      }
    })
}
