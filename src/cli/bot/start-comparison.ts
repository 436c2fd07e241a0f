import type { Logger } from 'pino'
import { isQuiet } from '../../compare/comparison-verdict.ts'
import type { RunningComparison } from '../../compare/running-comparison.ts'
import type { BotConfig } from '../../config/bot-config.ts'

/**
 * Starts to compare a bot with its backtest, and logs when the verdict changes; `undefined` where the configuration says
 * not to, or there is no journal to read.
 */
export async function startComparison(
  { comparison, journal }: Pick<BotConfig, 'comparison' | 'journal'>,
  log: Logger,
): Promise<RunningComparison | undefined> {
  if (journal === undefined || !comparison.run) return undefined
  const { RunningComparison } = await import('../../compare/running-comparison.ts')
  const { everyMs, slippageRate, boundRate } = comparison
  const running = new RunningComparison({ journal: journal.file, everyMs, slippageRate, boundRate })
  let before = ''
  running.updates$.subscribe(update => {
    const state = update.type === 'compared' ? update.comparison.verdict : update.type
    if (state === before) return
    before = state
    if (update.type === 'failed') log.warn({ why: update.reason }, 'no comparison with the backtest')
    if (update.type !== 'compared') return
    const { verdict, sentence } = update.comparison
    log[isQuiet(verdict) ? 'info' : 'warn']({ comparison: sentence }, 'live beside the backtest')
  })
  return running
}
