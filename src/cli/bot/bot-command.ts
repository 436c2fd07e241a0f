import { askBot } from '../../bot/control/control-client.ts'
import { controlSocketOf } from '../../bot/control/control-socket.ts'
import type { OperatorRequest } from '../../bot/control/operator-request.ts'
import { configOfBot } from '../../config/load-bot-config.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { CommandOutput } from '../streams.ts'
import { statusText } from './bot-status-text.ts'

/** Options of a command to a running bot. */
export interface BotCommandOptions {
  /** Path of the bot's configuration. */
  readonly config: string
  readonly json: boolean
  readonly request: OperatorRequest
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
