import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { BotConfig } from '../../config/bot-config.ts'
import { UsageError } from '../../domain/sluice-error.ts'

/** Longest path of a socket on every system: 104 bytes with a zero at its end. */
const MOST_BYTES = 103

/** Path of a bot's socket: the configured one, or one derived from the configuration file. */
export function controlSocketOf(
  { bot, control }: Pick<BotConfig, 'bot' | 'control'>,
  configPath: string,
): string {
  const path = control.socket ?? join('data', 'control', `${nameOf(bot)}-${hashOf(configPath)}.sock`)
  if (Buffer.byteLength(path) <= MOST_BYTES) return path
  throw new UsageError(
    `The path of the control socket, ${path}, is longer than ${MOST_BYTES} bytes; give a shorter one in control.socket.`,
  )
}

function nameOf(bot: string): string {
  return bot.replaceAll(/[^\w.-]/g, '-').slice(0, 40)
}

function hashOf(configPath: string): string {
  return createHash('sha256').update(resolve(configPath)).digest('hex').slice(0, 8)
}
