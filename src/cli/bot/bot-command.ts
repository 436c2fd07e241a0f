import { askBot } from '../../bot/control/control-client.ts'
import { controlSocketOf } from '../../bot/control/control-socket.ts'
import type { OperatorRequest } from '../../bot/control/operator-request.ts'
import { durationText } from '../../bot/text/figures.ts'
import type { BotConfig } from '../../config/bot-config.ts'
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
  const bot = configOfBot(config)
  const answer = await askBot(controlSocketOf(bot, config), request)
  if (!answer.ok && answer.isUsage) throw new UsageError(answer.message)
  if (json) out.write(`${JSON.stringify(answer)}\n`)
  else if (answer.ok && request.command === 'status') out.write(statusText(answer.status))
  else out.write(`${answer.message}${answer.ok ? pauseHereText(request, bot) : ''}\n`)
  return answer.ok ? 0 : 1
}

/** Length of a pause on this machine, where the exchange inside the bot runs at another speed; empty otherwise. */
export function pauseHereText({ forMs }: OperatorRequest, { venue }: Pick<BotConfig, 'venue'>): string {
  if (forMs === undefined || venue.type !== 'simulated' || venue.speed === 1) return ''
  return ` The pause is counted by the exchange's clock, which runs ${venue.speed} times as fast: it lasts about ${durationText(forMs / venue.speed)} here.`
}
