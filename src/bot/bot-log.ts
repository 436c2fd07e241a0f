import pino, { type DestinationStream, type Logger } from 'pino'
import { prettyFactory } from 'pino-pretty'
import type { BotConfig } from './config/bot-config.ts'

/** How the log is written. */
export interface BotLogOptions {
  readonly level: BotConfig['log']['level']
  /** Lines for people instead of JSON. */
  readonly readable: boolean
  readonly stream: DestinationStream
}

/** Fields that must never be printed, wherever they turn up. */
const SECRETS: ReadonlySet<string> = new Set(['apiKey', 'apiSecret'])
/** Fields within fields that are looked through. */
const DEEPEST = 3

/** The bot's log: constant messages with their data in fields, market time in `at`. */
export function createBotLog({ level, readable, stream }: BotLogOptions): Logger {
  const options = {
    level,
    base: null,
    formatters: { level: (label: string) => ({ level: label }), log: withoutSecrets },
  }
  return pino(options, readable ? readableStream(stream) : stream)
}

/** The fields, and a copy only where there is something to hide: the logger's own way takes longer than all the rest of a line. */
function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  return holdsSecret(fields, DEEPEST) ? hidden(fields) : fields
}

function holdsSecret(fields: object, depth: number): boolean {
  for (const [name, value] of Object.entries(fields)) {
    if (SECRETS.has(name)) return true
    if (depth > 1 && typeof value === 'object' && value !== null && holdsSecret(value, depth - 1)) return true
  }
  return false
}

function hidden(fields: object): Record<string, unknown> {
  const shown = (name: string, value: unknown): unknown => {
    if (SECRETS.has(name)) return '[Redacted]'
    return typeof value === 'object' && value !== null && holdsSecret(value, DEEPEST) ? hidden(value) : value
  }
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shown(name, value)]))
}

/** Market time, message and fields on one line; written at once, so that lines keep their order with what else is written. */
function readableStream(stream: DestinationStream): DestinationStream {
  const text = prettyFactory({
    colorize: false,
    ignore: 'time,level',
    messageFormat: ({ at, level: _level, time: _time, ...log }, messageKey) => {
      const { [messageKey]: message, ...fields } = log
      const said = Object.entries(fields).map(([name, value]) => `${name} ${readableValue(value)}`)
      const line = [at, message].filter(part => part !== undefined).join(' ')
      return said.length === 0 ? line : `${line}: ${said.join(', ')}`
    },
    hideObject: true,
  })
  return { write: line => stream.write(text(line)) }
}

/** Text as it is, an error with its stack, everything else as JSON. */
function readableValue(value: unknown): string {
  if (typeof value === 'string') return value
  const isError = typeof value === 'object' && value !== null && 'stack' in value
  return isError ? String(value.stack) : JSON.stringify(value)
}
