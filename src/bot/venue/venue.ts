import type { Clock } from '../../domain/clock.ts'
import { InvariantError } from '../../domain/sluice-error.ts'
import type { Usage } from '../../exchange/budget/budgets.ts'
import type { AccountClient } from '../../exchange/client/account-client.ts'
import type { FuturesClient } from '../../exchange/client/futures-client.ts'
import type { MarginClient } from '../../exchange/client/margin-client.ts'
import type { SpotClient } from '../../exchange/client/spot-client.ts'

/** Where a bot trades: an exchange as its client, and the clock that its time follows. */
export interface Venue {
  /** One line for people. */
  readonly description: string
  /** Paces what the bot does: nobody can set it forward or back, and its `now` need not be the exchange's time. */
  readonly clock: Clock
  readonly spot: SpotClient
  /** Where pairs are traded on margin; only of use with a margin account. */
  readonly margin?: MarginClient
  /** Where contracts are traded; only of use with a futures account. */
  readonly futures?: FuturesClient
  readonly account: Pick<AccountClient, 'balances'>
  /** The exchange's time as far as we know it, ms UTC; a new measurement may correct it in both directions. */
  readonly serverNow: () => number
  /** How long an answer may take at most, in ms of `clock`, before data count as overdue; without it, `polling.staleAfterMs` alone says so. */
  readonly answerMs?: number
  /** What is used now of the weight that our address has in a minute; without it market data do not make way for orders before the client's own limits do. */
  readonly usage?: () => Usage
  /** How far `serverNow` may be off, ms; without it, it is exact. */
  readonly clockUncertaintyMs?: () => number
  /** How far the exchange's time is ahead of this machine's, ms; without it, they are one. */
  readonly clockOffsetMs?: () => number
  close(): Promise<void>
}

/** The margin client of a venue; throws `InvariantError` where there is none. */
export function marginOf({ margin }: Pick<Venue, 'margin'>): MarginClient {
  if (margin !== undefined) return margin
  throw new InvariantError('The venue has no margin client, but pairs are traded on margin.')
}

/** The futures client of a venue; throws `InvariantError` where there is none. */
export function futuresOf({ futures }: Pick<Venue, 'futures'>): FuturesClient {
  if (futures !== undefined) return futures
  throw new InvariantError('The venue has no futures client, but contracts are traded on it.')
}
