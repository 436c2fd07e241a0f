import type { Clock } from '../../domain/clock.ts'
import { InvariantError } from '../../domain/sluice-error.ts'
import type { Usage } from '../../exchange/budget/budgets.ts'
import type { Pause } from '../../exchange/budget/pauses.ts'
import type { RequestCount } from '../../exchange/call/request-counts.ts'
import type { AccountClient } from '../../exchange/client/account-client.ts'
import type { FuturesClient } from '../../exchange/client/futures-client.ts'
import type { MarginClient } from '../../exchange/client/margin-client.ts'
import type { SpotClient } from '../../exchange/client/spot-client.ts'
import type { ExchangeProfile } from '../../exchange/profiles/exchange-profile.ts'

/** The venue of a bot: an exchange's clients, and the clock of its time. */
export interface Venue {
  /** One line for people. */
  readonly description: string
  /** Findings about the exchange, for people, in whole sentences. */
  readonly remark?: string
  /** Paces the bot: it is monotonic, and its `now` need not be the exchange's time. */
  readonly clock: Clock
  /** Differences of the exchange from the interface document; default: none. */
  readonly profile?: ExchangeProfile
  readonly spot: SpotClient
  /** Client of margin pairs; needed with a margin account. */
  readonly margin?: MarginClient
  /** Client of contracts; needed with a futures account. */
  readonly futures?: FuturesClient
  readonly account: Pick<AccountClient, 'balances'>
  /** The estimated exchange time, ms UTC; a new measurement may correct it in both directions. */
  readonly serverNow: () => number
  /**
   * Longest duration of an answer, in ms of `clock`, before data count as overdue; default:
   * `polling.staleAfterMs` alone.
   */
  readonly answerMs?: number
  /**
   * Weight used by our address in the present minute; without it, market data yield to orders only at the
   * client's own limits.
   */
  readonly usage?: () => Usage
  /** Stop of all calls that the exchange demands now; without it, none is told. */
  readonly pause?: () => Pause | undefined
  /** Requests to the exchange so far, by endpoint and status; without it, none are counted. */
  readonly requests?: () => readonly RequestCount[]
  /** Uncertainty of `serverNow`, ms; without it, zero. */
  readonly clockUncertaintyMs?: () => number
  /** Lead of the exchange's time over this machine's, ms; without it, zero. */
  readonly clockOffsetMs?: () => number
  /** Names who hears, in whole sentences, that the market behind the venue cannot be read, and when it can again. */
  readonly onSilence?: (tell: (sentence: string) => void) => void
  /** A whole sentence while that market cannot be read. */
  readonly silence?: () => string | undefined
  close(): Promise<void>
}

/** The margin client of a venue; throws `InvariantError` where there is none. */
export function marginOf({ margin }: Pick<Venue, 'margin'>): MarginClient {
  if (margin !== undefined) return margin
  throw new InvariantError('The venue has no margin client, but pairs are traded on margin.')
}

/** The futures client of a venue; throws `InvariantError` where there is none. */
export function futuresOf<Client = FuturesClient>({
  futures,
}: {
  readonly futures?: Client | undefined
}): Client {
  if (futures !== undefined) return futures
  throw new InvariantError('The venue has no futures client, but contracts are traded on it.')
}
