import type { Logger } from 'pino'
import type { Observable } from 'rxjs'
import type { ComparisonUpdate } from '../../compare/comparison-messages.ts'
import { EXPLAINED, verdictLevel } from '../../compare/comparison-verdict.ts'
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
  logVerdicts(running.updates$, log)
  return running
}

/** Logs each change of the verdict, and where it takes back that a part of the difference is a defect. */
export function logVerdicts(updates$: Observable<ComparisonUpdate>, log: Logger): void {
  let before = ''
  /** Begin of the span of which a part was last called unexplained. */
  let doubtedFrom: string | undefined
  updates$.subscribe(update => {
    const state = update.type === 'compared' ? update.comparison.verdict : update.type
    if (state === before) return
    before = state
    if (update.type === 'failed') log.warn({ why: update.reason }, 'no comparison with the backtest')
    if (update.type !== 'compared') return
    const { verdict, sentence, from } = update.comparison
    const isResolved = verdict !== 'unexplained' && doubtedFrom === from
    doubtedFrom = verdict === 'unexplained' ? from : undefined
    log[verdictLevel(verdict) === 0 ? 'info' : 'warn'](
      { comparison: isResolved ? `${EXPLAINED} ${sentence}` : sentence },
      'live beside the backtest',
    )
  })
}
