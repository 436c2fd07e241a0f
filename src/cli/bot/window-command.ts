import { askForLink } from '../../bot/control/control-client.ts'
import { controlSocketOf } from '../../bot/control/control-socket.ts'
import { configOfBot } from '../../config/load-bot-config.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { newPassword, passwordHash } from '../../web/server/password.ts'
import type { CommandOutput } from '../streams.ts'

/** Options of a request for a link. */
export interface WindowCommandOptions {
  /** Path of the bot's configuration. */
  readonly config: string
  readonly role: 'read' | 'operate'
  readonly json: boolean
}

/**
 * Prints an address that logs a browser in to the window of a running bot, once and within a minute. Rejects with `UsageError`
 * if the bot has no window, and as `askBot` does.
 */
export async function runWindow(
  { config, role, json }: WindowCommandOptions,
  out: CommandOutput,
): Promise<void> {
  const { url } = await askForLink(controlSocketOf(configOfBot(config), config), role)
  if (url === undefined)
    throw new UsageError(
      `The bot of ${config} has no window; add "web: {}" to its configuration and start it again.`,
    )
  out.write(json ? `${JSON.stringify({ webUrl: url })}\n` : `${url}\n`)
}

/** Prints a new password, and its hash for the configuration. */
export async function runPassword({ json }: { readonly json: boolean }, out: CommandOutput): Promise<void> {
  const password = newPassword()
  const hash = await passwordHash(password)
  out.write(
    json
      ? `${JSON.stringify({ password, hash })}\n`
      : `password  ${password}\nhash      ${hash}\nKeep the password, and write the hash into web.passwords of the bot's configuration.\n`,
  )
}
