import { loadStrategy } from '../../bot/start/load-strategy.ts'
import { closeTimeOf } from '../../domain/market-data/interval.ts'
import { DAMAGE_ADVICE, damageText } from '../../journal/verify-chain.ts'
import { klinesIn } from '../../klines/kline-columns.ts'
import { runHtml } from '../../live-report/run-html.ts'
import type { MoreKlines } from '../../live-report/run-markets.ts'
import { readRun } from '../../live-report/run-report.ts'
import { runSummary } from '../../live-report/run-summary.ts'
import { existingJournal } from '../existing-journal.ts'
import { projectVersion } from '../project.ts'
import { readStoredKlines } from '../stored-klines.ts'
import type { CommandOutput } from '../streams.ts'
import { writeAtomically } from '../write-atomically.ts'

/** Options of the report of a bot. */
export interface ReportOptions {
  /** Path of the journal. */
  readonly journal: string
  /** A file for an HTML page. */
  readonly html: string
  /** Nothing before is part of it, ms UTC. */
  readonly from?: number
  /** Folder of a kline store that fills gaps of the klines in the journal. */
  readonly store?: string
  /** Venue in that store, needed only if several have the klines. */
  readonly venue?: string
}

/** Writes the report of a bot from its journal; resolves to the exit code, 1 for a damaged journal. Rejects with `UsageError`. */
export async function runReport(options: ReportOptions, out: CommandOutput): Promise<number> {
  const { journal, html, from } = options
  const reader = existingJournal(journal)
  try {
    const check = reader.verify()
    if (!check.holds) {
      out.write(`The journal is damaged: ${damageText(check)} ${DAMAGE_ADVICE}\n`)
      return 1
    }
    const report = await readRun(reader, loadStrategy, { from, more: storedOf(options) })
    writeAtomically(html, runHtml(report, projectVersion()))
    out.write(`${runSummary(report)}\nWritten to ${html}.\n`)
    return 0
  } finally {
    reader.close()
  }
}

function storedOf({ store, venue }: ReportOptions): MoreKlines | undefined {
  if (store === undefined) return undefined
  return (symbol, interval, { first, last }) => {
    const span = { from: first, to: closeTimeOf(last, interval) }
    const filter = { store, symbol, interval, ...span, allowsLess: true }
    return klinesIn(readStoredKlines({ ...filter, ...(venue !== undefined && { venue }) }).columns)
  }
}
