import { readSession } from '../../bot/paper/read-session.ts'
import { type QueueResult, type SessionResult, sessionResult } from '../../bot/paper/session-result.ts'
import type { CommandOutput } from '../streams.ts'

/** Options of `paper report`. */
export interface PaperReportOptions {
  /** Folder of the session. */
  readonly folder: string
  /** Write one JSON object instead of text. */
  readonly json: boolean
}

/**
 * Reports what of a paper session is observed and what is assumed, and its result under the best and the worst
 * queue; returns the exit code: 1 if the record does not give the same fills again.
 */
export function runPaperReport({ folder, json }: PaperReportOptions, out: CommandOutput): number {
  const result = sessionResult(readSession(folder))
  out.write(json ? `${JSON.stringify(result)}\n` : textOf(result))
  return result.isReproduced ? 0 : 1
}

const QUEUE_TEXT = {
  front: 'best queue (front)',
  shown: 'queue as shown',
  back: 'worst queue (back)',
} as const

function textOf({ queue, isReproduced, difference, queues }: SessionResult): string {
  const replay = isReproduced
    ? 'The record, matched again, gives the same fills, byte for byte.'
    : `The record, matched again, gives other fills.\n  recorded  ${difference?.[0]}\n  now       ${difference?.[1]}`
  const lines = queues.map(one => `${one.queue === queue ? '* ' : '  '}${queueText(one)}`)
  return `${replay}\nThe same orders under each assumption of the queue (* that of the session):\n${lines.join('\n')}\n`
}

function queueText({ queue, fills, byRule, observedShare, results }: QueueResult): string {
  const rules = Object.entries(byRule).map(([rule, count]) => `${rule} ${count}`)
  const share = fills === 0 ? '' : `, ${(observedShare * 100).toFixed(1)}% of the traded worth observed`
  const money = Object.entries(results).map(([symbol, result]) => `${symbol} ${result}`)
  return `${QUEUE_TEXT[queue]}: ${fills} fills${fills === 0 ? '' : ` (${rules.join(', ')})`}${share}; result in quote: ${money.join(', ')}`
}
