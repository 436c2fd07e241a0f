import { bookOf } from '../../domain/book-names.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { executionTexts, type UnlistedOrder } from '../../execution/tracking/unlisted-trades-error.ts'
import type { UnprotectedStatus } from './bot-status.ts'

/** Positions that wait for the listed trades of their entries, for longer than a moment, before their protective orders are placed. */
export function unprotectedEntries(unlisted: readonly UnlistedOrder[]): readonly UnprotectedStatus[] {
  return unlisted.flatMap(order => {
    const { request, unlisted: execution } = order
    const { symbol, clientOrderId, protection } = request
    const purpose = (['stopLoss', 'trailingStop', 'takeProfit'] as const).find(
      name => protection?.[name] !== undefined,
    )
    if (purpose === undefined || !execution.isLasting) return []
    const { executed, listed } = executionTexts(order)
    return [
      {
        ...{ book: bookOf(request), symbol, purpose, clientOrderId },
        cause: 'unlisted',
        since: utcText(execution.since),
        refusedTimes: 0,
        why: `The entry (id ${clientOrderId}) has executed ${executed}, and trades of ${listed} are listed. The rest is protected once its trades are listed; close it at the exchange by hand if you do not want to wait.`,
      },
    ]
  })
}
