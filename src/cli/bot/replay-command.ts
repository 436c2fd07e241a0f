import { loadStrategy } from '../../bot/start/load-strategy.ts'
import { type ReplayResult, replayJournal } from '../../bot/state/replay-journal.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { type ChainCheck, DAMAGE_ADVICE, damageText } from '../../journal/verify-chain.ts'
import { existingJournal } from '../existing-journal.ts'
import type { CommandOutput } from '../streams.ts'

export interface ReplayCommandOptions {
  /** Path of the journal. */
  readonly journal: string
  readonly json: boolean
}

/**
 * Verifies a journal and replays it; resolves to the exit code: 1 if it is damaged or a decision differs.
 * Rejects with `UsageError` for a missing file.
 */
export async function runReplay(
  { journal, json }: ReplayCommandOptions,
  out: CommandOutput,
): Promise<number> {
  const reader = existingJournal(journal)
  try {
    const check = reader.verify()
    const result = check.holds ? await replayJournal(reader, loadStrategy) : undefined
    out.write(json ? `${JSON.stringify({ check, result })}\n` : textOf(check, result))
    return result === undefined || result.difference !== undefined ? 1 : 0
  } finally {
    reader.close()
  }
}

function textOf(check: ChainCheck, result: ReplayResult | undefined): string {
  if (!check.holds) {
    return `The journal is damaged: ${damageText(check)} ${DAMAGE_ADVICE}\n`
  }
  if (result === undefined) return ''
  const { sessions, events, decisions, difference } = result
  const run = `${check.entries} entries hold. ${events} events of ${sessions === 1 ? '1 session' : `${sessions} sessions`} were run again, ${decisions} of them with decisions`
  if (difference === undefined) return `${run}: every decision is the same.\n`
  return [
    `${run}, up to the first difference: entry ${difference.seq}, ${utcText(difference.time)}.`,
    `  recorded  ${difference.recorded}`,
    `  now       ${difference.again}`,
    '',
  ].join('\n')
}
