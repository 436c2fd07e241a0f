import type { EngineEvent } from '../../../src/domain/engine-event.ts'
import type { EngineOutput } from '../../../src/domain/engine-output.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import type { RoundTrip } from '../../../src/domain/round-trip.ts'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import type { LoggedEvent } from '../../../src/simulator/event-log.ts'
import type { OwnTrade } from '../../../src/simulator/own-trade.ts'
import type { SpotOrder } from '../../../src/simulator/spot-order.ts'
import type { User } from '../../../src/simulator/user.ts'
import type { GivenRisk } from './no-new-risk.ts'
import type { Past } from './past.ts'

/** What a bot believes, beside what is true at its exchange. */
export interface Scene {
  readonly ledger: Ledger
  /** Its account at the exchange. */
  readonly user: Pick<User, 'account' | 'history'>
  readonly instruments: readonly Instrument[]
  /** Whose orders have ids that begin with this are somebody else's. */
  readonly othersPrefix: string
}

/** A scene right after the engine took an event. */
export interface Moment extends Scene {
  readonly event: EngineEvent
  readonly decisions: readonly EngineOutput[]
  readonly before: Past
  readonly after: Past
  readonly risk: GivenRisk
}

/** A scene in which nothing is on its way any more. */
export interface Rest extends Scene {
  /** Everything that was ever closed; `undefined` where nobody can tell. */
  readonly roundTrips: readonly RoundTrip[] | undefined
  /** As far as it is known. */
  readonly past: Past
  /** What the exchange logged of requests. */
  readonly requests: readonly LoggedEvent[]
  /** Whether no request was late on its way to the exchange. */
  readonly isPunctual: boolean
}

/** Something that must not be. */
export interface Violation {
  readonly problem: string
  /** A clientOrderId, a symbol or an asset that it is about. */
  readonly about: string
}

/** Orders that the bot has at the exchange. */
export function ownOrders({ user, othersPrefix }: Scene): readonly SpotOrder[] {
  return user.history.orders.filter(({ clientOrderId }) => !clientOrderId?.startsWith(othersPrefix))
}

/** Trades of the bot's orders, oldest first. */
export function ownTrades({ user, othersPrefix }: Scene): readonly OwnTrade[] {
  return [...user.history.trades()]
    .filter(({ order }) => !order.clientOrderId?.startsWith(othersPrefix))
    .reverse()
}
