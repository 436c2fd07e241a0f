import type { Command } from 'commander'
import { askBot } from '../../bot/control/control-client.ts'
import { controlSocketOf } from '../../bot/control/control-socket.ts'
import type { OperatorRequest } from '../../bot/control/operator-request.ts'
import { configOfBot } from '../../config/load-bot-config.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { durationOption } from '../option-values.ts'
import type { CommandOutput, OnExitCode, OutputStreams } from '../streams.ts'
import { statusText } from './bot-status-text.ts'

/** Options of a command to a running bot. */
export interface BotCommandOptions {
  /** Path of the bot's configuration. */
  readonly config: string
  readonly json: boolean
  readonly request: OperatorRequest
}

interface Given {
  readonly config: string
  readonly for?: number
  readonly reason?: string
  readonly json: boolean
}

/**
 * Sends a command to a running bot and writes its answer; resolves to the exit code, 1 if the bot cannot do
 * it now. Rejects with `UsageError` for a wrong request, with `BotNotRunningError` without a running bot.
 */
export async function runBotCommand(
  { config, json, request }: BotCommandOptions,
  out: CommandOutput,
): Promise<number> {
  const answer = await askBot(controlSocketOf(configOfBot(config), config), request)
  if (!answer.ok && answer.isUsage) throw new UsageError(answer.message)
  if (json) out.write(`${JSON.stringify(answer)}\n`)
  else if (answer.ok && request.command === 'status') out.write(statusText(answer.status))
  else out.write(`${answer.message}\n`)
  return answer.ok ? 0 : 1
}

const COMMANDS: readonly (readonly [OperatorRequest['command'], string])[] = [
  ['status', 'Show what may be sent, what is held, and what works.'],
  ['pause', 'Open nothing for a while; what is held may be closed.'],
  ['resume', 'Trade on: lifts pause, reduce, halt, kill, and what protections hold.'],
  ['reduce', 'Open nothing until resumed; what is held may be closed.'],
  ['flatten', 'Cancel entries and close what is held; strategies go on.'],
  ['halt', 'Send nothing until resumed, but what protects a position.'],
  ['kill', 'The kill switch: cancel entries, close what is held, and halt, also after a restart.'],
]

/** Adds `bot` and its commands to the program. */
export function defineBot(program: Command, { out }: OutputStreams, onExitCode: OnExitCode): void {
  const bot = program
    .command('bot')
    .description('Command a running bot, and see how it stands.')
    .helpCommand(false)
  for (const [command, description] of COMMANDS) {
    const defined = bot
      .command(command)
      .description(description)
      .argument('[symbol]', 'one instrument, such as BTC/USDT; without it the whole bot')
      .option('--config <file>', 'the configuration that the bot was started with', 'config/paper.yaml')
      .option('--json', 'write one JSON object', false)
    if (command === 'pause') {
      defined.requiredOption(
        '--for <duration>',
        "how long, in the venue's time, such as 30m or 2h",
        durationOption,
      )
    }
    if (command !== 'status') defined.option('--reason <text>', 'why, for the log and for who asks')
    defined.action(async (symbol: string | undefined, { config, for: forMs, reason, json }: Given) => {
      const request = {
        command,
        ...(symbol !== undefined && { symbol }),
        ...(forMs !== undefined && { forMs }),
        ...(reason !== undefined && { reason }),
      }
      onExitCode(await runBotCommand({ config, json, request }, out))
    })
  }
}
