import { DEFAULT_FILL_SETTINGS } from '../../../backtest/models/fill-settings.ts'
import { comparisonJson } from '../../compare/comparison-rows.ts'
import { compareSpan } from '../../compare/live-comparison.ts'
import { LiveSpan } from '../../compare/live-span.ts'
import { ReadStrategies } from '../../compare/read-strategies.ts'
import { DAMAGE_ADVICE, damageText } from '../../journal/verify-chain.ts'
import { existingJournal } from '../existing-journal.ts'
import { PROJECT_FOLDER } from '../project.ts'
import type { CommandOutput } from '../streams.ts'
import { comparisonText } from './comparison-text.ts'

/** Options of a comparison. */
export interface CompareOptions {
  /** Path of the journal. */
  readonly journal: string
  /** Nothing before is compared, ms UTC. */
  readonly from?: number
  /** Fraction of the price that the backtest loses at market. */
  readonly slippage: number
  /** Largest difference that counts as kept, as a fraction of what live turned over. */
  readonly bound: number
  readonly json: boolean
}

/** Exit codes by verdict. */
const EXIT_CODES = {
  ...{ nothingYet: 0, asPromised: 0, differs: 3, unexplained: 4, cannotTell: 5 },
  notComparable: 6,
} as const

/**
 * Compares a journal with the backtest of what its bot has seen; resolves to the exit code: 0 as promised, 3 beyond the
 * bound or with other orders for known causes, 4 with an unexplained difference, 5 where live traded too little to tell, 6 where
 * all strategies decided on feeds that klines do not tell, 1 for a damaged journal.
 */
export async function runCompare(
  { journal, from, slippage, bound, json }: CompareOptions,
  out: CommandOutput,
): Promise<number> {
  const reader = existingJournal(journal)
  try {
    const check = reader.verify()
    if (!check.holds) {
      out.write(`The journal is damaged: ${damageText(check)} ${DAMAGE_ADVICE}\n`)
      return 1
    }
    const { load, hashOf } = new ReadStrategies(PROJECT_FOLDER)
    const span = await LiveSpan.read(reader, load, { ...(from !== undefined && { from }) })
    const comparison = await compareSpan(span, {
      load,
      fills: { ...DEFAULT_FILL_SETTINGS, slippageRate: slippage },
      hashOf,
      boundRate: bound,
    })
    const rows = comparisonJson(comparison)
    out.write(json ? `${JSON.stringify(rows)}\n` : comparisonText(rows))
    return EXIT_CODES[comparison.verdict]
  } finally {
    reader.close()
  }
}
