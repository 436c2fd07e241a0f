import type { Logger } from 'pino'
import type { Notice } from '../../domain/events/engine-output.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { logLineText } from '../text/log-lines.ts'
import { logNotice } from './log-notice.ts'

/** A line of the log, in words. */
export interface NoticeLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly text: string
}

/** A notice as the log words it. */
export function noticeLines(
  notice: Notice,
  instrumentOf: (symbol: string) => Instrument,
): readonly NoticeLine[] {
  const lines: NoticeLine[] = []
  const at = (level: NoticeLine['level']) => (fields: object, message: string) =>
    lines.push({ level, text: logLineText(message, plainFields(fields)) })
  const log = { debug: () => {}, info: at('info'), warn: at('warn'), error: at('error') }
  logNotice(log as unknown as Logger, notice, instrumentOf) // it calls these four, with fields and a message
  return lines
}

/** Fields as the log's JSON has them. */
function plainFields(fields: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      value instanceof Error ? { message: value.message } : value,
    ]),
  )
}
