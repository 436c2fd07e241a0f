import type { EngineEvent } from '../../../src/domain/events/engine-event.ts'
import type { EngineOutput } from '../../../src/domain/events/engine-output.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import type { Interval } from '../../../src/domain/market-data/interval.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import type { RoundTrip } from '../../../src/domain/round-trip.ts'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import type { RiskRules } from '../../../src/risk/risk-rules.ts'
import type { LoggedEvent } from '../../../src/simulator/event-log.ts'
import type { FuturesAccount } from '../../../src/simulator/futures/positions/futures-account.ts'
import type { User } from '../../../src/simulator/user.ts'
import {
  type ExchangeOrder,
  type ExchangeTrade,
  futuresTrade,
  ofFutures,
  ofPair,
  pairTrade,
} from './orders/exchange-order.ts'
import type { Past } from './past.ts'

/** What a bot believes, beside what is true at its exchange. */
export interface Scene {
  readonly ledger: Ledger
  /** Its spot account at the exchange, and beside it its margin account. */
  readonly user: Pick<User, 'account' | 'history' | 'margin'>
  /** Its futures account there, where contracts are traded: each under its own name. */
  readonly futures?: FuturesAccount | undefined
  readonly instruments: readonly Instrument[]
  /** Whose orders have ids that begin with this are somebody else's. */
  readonly othersPrefix: string
  /** Ids of lives whose journal is lost: their orders are nobody's who lives. */
  readonly forgotten?: ReadonlySet<string> | undefined
  /** The futures host lists no transactions: funding is derived, and liquidations are left to a person; default: false. */
  readonly hidesTransactions?: boolean | undefined
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
  /** Everything that the engine took; `undefined` where nobody can tell. */
  readonly events?: readonly EngineEvent[] | undefined
  /** The klines that the exchange has closed; `undefined` where its answers had other prices. */
  readonly klinesOf?: ((symbol: string, interval: Interval) => Iterable<Kline>) | undefined
  /** As far as it is known. */
  readonly past: Past
  /** What the exchange logged of requests. */
  readonly requests: readonly LoggedEvent[]
  /** Whether no request was late on its way to the exchange. */
  readonly isPunctual: boolean
  /** What the exchange takes over after this, the bot had no time to find out about, ms UTC; default: it knows all. */
  readonly knownUntil?: number | undefined
}

/** Something that must not be. */
export interface Violation {
  readonly problem: string
  /** A clientOrderId, a symbol or an asset that it is about. */
  readonly about: string
}

/** Limits and protections of everybody who has some. */
export interface GivenRisk {
  readonly account: RiskRules
  /** By book. */
  readonly strategies: ReadonlyMap<string, RiskRules>
}

/** The accounts that trade pairs. */
function pairAccounts({ user }: Pick<Scene, 'user'>) {
  return [
    { type: 'spot', account: user.account, history: user.history },
    { type: 'margin', account: user.margin.account, history: user.margin.history },
  ] as const
}

/** Orders that the bot has at the exchange. */
export function ownOrders(scene: Scene): readonly ExchangeOrder[] {
  const { futures } = scene
  const ofPairs = pairAccounts(scene).flatMap(({ type, history }) =>
    history.orders
      .filter(({ clientOrderId }) => isOwn(scene, clientOrderId))
      .map(order => ofPair(order, type)),
  )
  if (futures === undefined) return ofPairs
  const contracts = futures.records.orders.filter(order => isOwnFutures(scene, order.clientOrderId))
  return [...ofPairs, ...contracts.map(ofFutures)]
}

/** The ids of these orders, as they were given. */
export function ownIds(scene: Scene): readonly (string | undefined)[] {
  const ofPairs = pairAccounts(scene)
    .flatMap(({ history }) => history.orders)
    .filter(({ clientOrderId }) => isOwn(scene, clientOrderId))
  const contracts =
    scene.futures?.records.orders.filter(order => isOwnFutures(scene, order.clientOrderId)) ?? []
  return [...ofPairs, ...contracts].map(({ clientOrderId }) => clientOrderId)
}

/** Those of the orders that the exchange still works, somebody else's included. */
export function openOrders({ user, futures }: Pick<Scene, 'user' | 'futures'>): readonly ExchangeOrder[] {
  const ofPairs = pairAccounts({ user }).flatMap(({ type, history }) =>
    history.openOrders.map(order => ofPair(order, type)),
  )
  return futures === undefined ? ofPairs : [...ofPairs, ...futures.records.openOrders.map(ofFutures)]
}

/** Every trade of the accounts, oldest first of each. */
export function allTrades({ user, futures }: Pick<Scene, 'user' | 'futures'>): readonly ExchangeTrade[] {
  const ofPairs = pairAccounts({ user }).flatMap(({ type, history }) =>
    [...history.trades()].map(trade => pairTrade(trade, type)).reverse(),
  )
  return futures === undefined
    ? ofPairs
    : [...ofPairs, ...[...futures.records.trades()].map(futuresTrade).reverse()]
}

/** Trades of the bot's orders, oldest first of each account. */
export function ownTrades(
  scene: Pick<Scene, 'user' | 'futures' | 'othersPrefix' | 'forgotten'>,
): readonly ExchangeTrade[] {
  return allTrades(scene).filter(({ order: { clientOrderId, closes } }) =>
    closes === undefined ? isOwn(scene, clientOrderId) : isOwnFutures(scene, clientOrderId),
  )
}

/** The futures account, unless the exchange has taken something over that the bot cannot know of yet. */
export function knownFutures({ futures, knownUntil }: Pick<Rest, 'futures' | 'knownUntil'>) {
  const since = knownUntil ?? Number.POSITIVE_INFINITY
  const taken = [...(futures?.closedPositions.newestFirst() ?? [])]
  return taken.some(({ isLiquidated, changeTime }) => isLiquidated && changeTime > since)
    ? undefined
    : futures
}

/** Whether an order is of a life that the bot knows of. */
export function isOwn(
  { othersPrefix, forgotten }: Pick<Scene, 'othersPrefix' | 'forgotten'>,
  clientOrderId: string | undefined,
): boolean {
  if (clientOrderId === undefined) return true
  return !clientOrderId.startsWith(othersPrefix) && forgotten?.has(clientOrderId) !== true
}

/** The bot never leaves an order of contracts without an id; conditions of others have none. */
function isOwnFutures(
  scene: Pick<Scene, 'othersPrefix' | 'forgotten'>,
  clientOrderId: string | undefined,
): boolean {
  return clientOrderId !== undefined && isOwn(scene, clientOrderId)
}

/** Instruments of the spot and the margin account. */
export function pairsOf({ instruments }: Pick<Scene, 'instruments'>): readonly Instrument[] {
  return instruments.filter(({ futures }) => futures === undefined)
}

/** What each account of pairs has of every asset that the bot trades on it. */
export function heldOnPairs(scene: Pick<Scene, 'user' | 'instruments'>) {
  return pairAccounts(scene).flatMap(({ type, account }) => {
    const own = pairsOf(scene).filter(({ accountType }) => accountType === type)
    const assets = new Set(own.flatMap(({ base, quote }) => [base, quote]))
    return [...assets].map(asset => ({ asset, type, holding: account.holding(asset) }))
  })
}

/** Instruments of the futures account. */
export function contractsOf({ instruments }: Pick<Scene, 'instruments'>): readonly Instrument[] {
  return instruments.filter(({ futures }) => futures !== undefined)
}
