import type { Logger } from 'pino'
import { type RecordedEquity, recordedEquity } from '../../live-report/recorded-equity.ts'

/** Takes the course of equity before the start. */
interface EquityTaker {
  rememberEquity(points: readonly RecordedEquity[]): void
}

/** Gives what a journal tells of equity before this start to those who go on from it, once it is read; the bot trades meanwhile. */
export async function rememberEquity(
  journal: { readonly path: string; readonly seq: number } | undefined,
  takers: readonly (EquityTaker | undefined)[],
  log: Logger,
): Promise<void> {
  const given = takers.filter(taker => taker !== undefined)
  if (journal === undefined || journal.seq === 0 || given.length === 0) return
  try {
    const points = await recordedEquity(journal.path)
    for (const taker of given) taker.rememberEquity(points)
  } catch (error) {
    log.warn({ err: error }, 'the course of equity before this start cannot be read from the journal')
  }
}
