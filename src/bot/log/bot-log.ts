import pino, { type DestinationStream, type Logger } from 'pino'
import { prettyFactory } from 'pino-pretty'
import type { BotConfig } from '../../config/bot-config.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { momentText } from '../text/figures.ts'
import { logLineText } from '../text/log-lines.ts'

export interface BotLogOptions {
  readonly level: BotConfig['log']['level']
  /** Lines for people instead of JSON. */
  readonly readable: boolean
  readonly stream: DestinationStream
  /** The exchange's time, ms UTC, with which lines for people begin; while it is `undefined`, they begin with their `at`. */
  readonly now?: () => number | undefined
}

/** Fields that must never be printed, wherever they turn up. */
const SECRETS: ReadonlySet<string> = new Set(['apiKey', 'apiSecret'])
/** Depth of nested fields that is searched. */
const DEEPEST = 3

/** The bot's log: constant messages with their data in fields, market time in `at`. */
export function createBotLog({ level, readable, stream, now = () => undefined }: BotLogOptions): Logger {
  const options = {
    level,
    base: null,
    formatters: { level: (label: string) => ({ level: label }), log: withoutSecrets },
  }
  return pino(options, readable ? readableStream(stream, now) : stream)
}

/**
 * Copies the fields only if they hold a secret: the logger's own redaction takes longer than all the rest of
 * a line.
 */
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

/**
 * One line with its time, its level from a warning on, and a sentence; with the time of a kline's close or a
 * fill if that is another second. Written synchronously, so that lines keep their order with other output.
 */
function readableStream(stream: DestinationStream, now: () => number | undefined): DestinationStream {
  const lineOf = prettyFactory({
    colorize: false,
    ignore: 'time,level',
    messageFormat: ({ at, level, time: _time, ...log }, messageKey) => {
      const { [messageKey]: message, ...fields } = log
      const seen = now()
      const happened = at === undefined ? undefined : momentText(String(at))
      const written = seen === undefined ? happened : momentText(utcText(seen))
      const event = EVENTS[String(message)]
      const parts = [
        ...(written === undefined ? [] : [written]),
        ...(TAGS.has(String(level)) ? [String(level).toUpperCase()] : []),
        logLineText(String(message), fields),
        ...(happened === undefined || happened === written || event === undefined
          ? []
          : [`(${event} ${happened})`]),
      ]
      return parts.join(' ')
    },
    hideObject: true,
  })
  return { write: line => stream.write(lineOf(line)) }
}

/** Meaning of a line's `at` field, by its message; other lines follow from one of these. */
const EVENTS: Readonly<Record<string, string>> = {
  kline: 'closed',
  fill: 'traded',
  'round trip closed': 'traded',
  'round trips closed': 'traded',
  funding: 'settled',
}

/** Levels that a line begins with. */
const TAGS: ReadonlySet<string> = new Set(['warn', 'error', 'fatal'])
