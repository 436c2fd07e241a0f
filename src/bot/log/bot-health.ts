import type { Usage } from '../../exchange/budget/budgets.ts'
import type { RecordedEngine } from '../state/recorded-engine.ts'
import type { Venue } from '../venue/venue.ts'

/** Signs of how well a bot is, beside its status. */
export interface BotHealth {
  /** Entries of the journal that are not on the disk yet. */
  readonly uncommitted: number
  /** Uncertainty of the estimated exchange time, ms. */
  readonly clockUncertaintyMs: number
  /** Weight of calls in the present minute; absent if the venue counts none. */
  readonly weight?: Usage
  /** Time since the latest quote of each symbol, ms of the venue's clock. */
  readonly feedAgesMs: Readonly<Record<string, number>>
}

/** The signs at present. */
export function botHealth(
  venue: Venue,
  recorded: Pick<RecordedEngine, 'uncommitted'>,
  quotedAt: ReadonlyMap<string, number>,
): BotHealth {
  const now = venue.clock.now()
  const weight = venue.usage?.()
  return {
    uncommitted: recorded.uncommitted,
    clockUncertaintyMs: Math.round(venue.clockUncertaintyMs?.() ?? 0),
    feedAgesMs: Object.fromEntries([...quotedAt].map(([symbol, at]) => [symbol, now - at])),
    ...(weight !== undefined && { weight: { used: weight.used, limit: weight.limit } }),
  }
}
