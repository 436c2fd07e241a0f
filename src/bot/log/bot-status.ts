import { rulesOf } from '../../domain/account-rules.ts'
import { scopeText, type TradingHold, type TradingMode } from '../../domain/events/trading-hold.ts'
import { quantityUnit } from '../../domain/instrument.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { subtract, ZERO } from '../../domain/numbers/amount.ts'
import { priceOf, priceText, quantityText, type Steps, steps, type Ticks } from '../../domain/numbers/grid.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { OrderSpec } from '../../domain/orders/order-request.ts'
import type { Size } from '../../domain/signal.ts'
import type { Engine } from '../../engine/engine.ts'
import { type UnlistedOrder, unlistedSentence } from '../../execution/tracking/unlisted-trades-error.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { TriggerBook } from '../../matching/trigger-book.ts'
import { pricesOf } from '../../risk/prices-of.ts'
import type { RiskScope } from '../../risk/risk-scope.ts'
import { stricter, strictestFirst, type TradingState } from '../../risk/trading-state.ts'
import type { LoadedStrategy } from '../bot-options.ts'
import type { DayStartState } from '../state/day-start.ts'
import type { OutsideClose } from '../state/outside-closes.ts'
import type { DayTrips, TripTotal, TripTotals } from '../state/trip-totals.ts'
import type { ForeignStatus } from '../text/foreign-status.ts'
import type { LockedCoinsStatus } from '../text/locked-coins.ts'
import {
  type LivePrices,
  liquidationText,
  type PositionStatus,
  priceOfProtection,
} from '../text/position-status.ts'
import { unlistedByOrder, unlistedExits } from '../text/unlisted-text.ts'
import { UNVERIFIABLE } from '../venue/declared-margin.ts'
import { unknownMaintenance } from '../venue/unknown-maintenance.ts'
import type { AwaitedSale } from './awaited-sales.ts'
import { equityTexts, heldPositions, positionTexts, texts } from './bot-summary.ts'
import { NOTHING_LEFT } from './empty-account.ts'
import { type ExitUnderWay, exitsUnderWay } from './exits-under-way.ts'
import { leftOf } from './left-of-strategy.ts'
import type { LineStatus } from './line-trouble.ts'
import type { StoppedStrategy } from './stopped-strategy.ts'

/** Trading mode of one scope, and the reasons for it. */
export interface ScopeStatus {
  /** `account`, an instrument, or a strategy on one. */
  readonly scope: string
  readonly mode: TradingMode
  /** The strictest of its own mode and those of the wider scopes that it lies in: that of the instrument, and of the account. */
  readonly effectiveMode: TradingMode
  /** Of an instrument that is halted until the next start, because account and books differ: why, in a sentence. */
  readonly haltedUntilStart?: string
  readonly holds: readonly HoldStatus[]
  /** The protections that watch. */
  readonly protections: readonly string[]
}

/** A hold with its times as text. */
export type HoldStatus = Omit<TradingHold, 'since' | 'until'> & {
  readonly since: string
  readonly until?: string
}

/** One strategy on one instrument. */
export interface StrategyStatus {
  readonly strategy: string
  readonly symbol: string
  readonly book: string
  readonly interval: string
  /** Every parameter with its value. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly size: Size
  /** Reason that it has stopped; absent while it runs. */
  readonly stopped?: StoppedStrategy & {
    /** A sentence about the rest: a position with protective orders, one without, or none. */
    readonly left: string
  }
}

/**
 * An open position whose protective order is not known to rest, here or at the exchange, for some seconds, whose stop
 * waits here for prices that do not come, or whose entry has executed what the exchange does not list for some seconds.
 */
export interface UnprotectedStatus {
  readonly book: string
  readonly symbol: string
  readonly purpose: string
  /** `order`: it is not known to rest. `price`: it waits here, and no price comes. `unlisted`: it is not placed, because the exchange does not list all trades of the entry. */
  readonly cause: 'order' | 'price' | 'unlisted'
  /** Latest order of that purpose; with the cause `unlisted` the entry. */
  readonly clientOrderId: string
  /** UTC; with the cause `price` that of the latest price, or of the start before the first. */
  readonly since: string
  /** Number of times that the exchange has refused it. */
  readonly refusedTimes: number
  /** Whole sentences. */
  readonly why: string
}

/** A running bot at a glance; money and quantities are exact text, times UTC. */
export interface BotStatus {
  readonly bot: string
  readonly time: string
  readonly unprotected: readonly UnprotectedStatus[]
  /** A sentence for each order that has executed what the exchange does not list: it is not in these books, nor protected. */
  readonly unlisted: readonly string[]
  /** That the account has nothing left, in sentences; absent while it has something. */
  readonly nothingLeft?: string
  /** The ten latest liquidations and closes outside this bot of the last 24 hours, also of earlier sessions of its journal, oldest first. */
  readonly closedOutside: readonly OutsideClose[]
  /** Number of those before them in these 24 hours. */
  readonly closedOutsideBefore: number
  /** Contracts of others on the account, as of the latest comparison that was believed. */
  readonly foreign: readonly ForeignStatus[]
  /** Positions of the account where these books have others, `0` for none, as of that comparison. */
  readonly differing: readonly ForeignStatus[]
  readonly strategies: readonly StrategyStatus[]
  readonly trading: readonly ScopeStatus[]
  /** By book; negative is short. */
  readonly positions: Readonly<Record<string, string>>
  /** Liquidation prices (mark price) of open contracts, by book, as text. */
  readonly liquidationPrices: Readonly<Record<string, string>>
  /** The same positions with prices, results and levels; books that are flat are absent. */
  readonly held: readonly PositionStatus[]
  readonly orders: readonly OrderStatusLine[]
  readonly equity: Readonly<Record<string, string>>
  /** Prices that count in `equity` and are old, because none have come since. */
  readonly oldPrices: readonly { readonly symbol: string; readonly ageMs: number }[]
  readonly day: DayStatus
  readonly roundTrips: RoundTripsStatus
  readonly balances: Readonly<Record<string, string>>
  /** Instruments whose positions are being closed, for the operator or because the bot was stopped, also by an earlier session. */
  readonly closing: readonly string[]
  /** Reasons of that, in sentences, by instrument. */
  readonly closingReasons: Readonly<Record<string, string>>
  /** Exits of strategies that the exchange did not complete, and that go on. */
  readonly exitsUnderWay: readonly ExitUnderWay[]
  /** Comparison of these books with the account at the exchange. */
  readonly comparison: AccountComparison
  /** Coins of positions that the account lacks, while it waits for the sale of them. */
  readonly awaitedSales: readonly AwaitedSale[]
  /** Coins of positions that are to be sold, and that open orders of others lock. */
  readonly lockedCoins: readonly LockedCoinsStatus[]
  /** Failures of the connection to the exchange. */
  readonly line: LineStatus
  /** Unverifiable parts of this, in sentences. */
  readonly unverified: readonly string[]
}

/** Results since the beginning of the day (UTC), by quote asset, without deposits and withdrawals; exact text. */
export interface DayStatus {
  /** Midnight, or the start of the books if that was later; UTC. */
  readonly since: string
  /** Equity then, with deposits and withdrawals since. */
  readonly equity: Readonly<Record<string, string>>
  /** Change of equity since. */
  readonly change: Readonly<Record<string, string>>
}

/** Round trips of this bot, also of earlier sessions of its journal. */
export interface RoundTripsStatus {
  /** When counting began, UTC: the beginning of the journal, or of the session without one; absent before the first event. */
  readonly since?: string
  /** By quote asset. */
  readonly totals: readonly TripTotal[]
  /** Those closed since midnight UTC, by book; books without one are absent. */
  readonly today: readonly DayTrips[]
}

/** `notYet`: no look has come to a verdict since the start; `differs`: the latest verdict waits for a second look. */
export type AccountComparison = 'notYet' | 'agreed' | 'differs'

/** An order that works. */
export interface OrderStatusLine {
  readonly clientOrderId: string
  readonly symbol: string
  readonly strategy: string
  readonly side: string
  readonly purpose: string
  readonly type: string
  readonly status: string
  /** `bot`: it waits there for its price, and is not at the exchange. */
  readonly watchedBy?: 'bot'
  readonly quantity: string
  readonly filled: string
  /** Executed quantity by the latest answer of the exchange, while it does not list all trades of it; absent otherwise. */
  readonly executed?: string
  /** `contracts`, or the base asset. */
  readonly unit: string
  /** Quote per base, and for a trailing stop its distance among them. */
  readonly prices: readonly number[]
  /** Of a trailing stop that follows by a fraction of the price. */
  readonly callbackRate?: number
  /** Of a trailing stop: the price at which it stands, quote per base, as text; absent before its activation. */
  readonly stopPrice?: string
}

export interface StatusSources {
  readonly bot: string
  readonly engine: Engine
  /** Absent before the first event. */
  readonly dayStart: DayStartState | undefined
  readonly roundTrips: TripTotals
  readonly strategies: readonly LoadedStrategy[]
  readonly stopped: ReadonlyMap<string, StoppedStrategy>
  /** Reasons of instruments that are halted until the next start. */
  readonly halted: ReadonlyMap<string, string>
  readonly unlisted: readonly UnlistedOrder[]
  readonly closedOutside: readonly OutsideClose[]
  readonly closedOutsideBefore: number
  readonly prices: LivePrices
  readonly line: LineStatus
  readonly comparison: AccountComparison
  readonly awaitedSales: readonly AwaitedSale[]
  readonly lockedCoins: readonly LockedCoinsStatus[]
  readonly unprotected: readonly UnprotectedStatus[]
  /** True if the account has nothing left, as far as a running bot knows. */
  readonly isEmpty: boolean
  readonly foreign: readonly ForeignStatus[]
  readonly differing: readonly ForeignStatus[]
  /** Earliest time at which an order of a symbol is tried next, ms UTC; `undefined` if nothing holds one back. */
  readonly nextTryOf: (symbol: string) => number | undefined
}

/** The status of a bot at a time, ms UTC. */
export function botStatus(
  {
    bot,
    engine,
    prices,
    line,
    comparison,
    awaitedSales,
    lockedCoins,
    halted,
    unprotected,
    unlisted,
    isEmpty,
    closedOutside,
    closedOutsideBefore,
    foreign,
    differing,
    dayStart,
    roundTrips,
    nextTryOf,
    ...rest
  }: StatusSources,
  time: number,
): BotStatus {
  const { ledger, runners, risk } = engine
  return {
    bot,
    time: utcText(time),
    unprotected,
    unlisted: unlisted.filter(order => order.unlisted.isLasting).map(unlistedSentence),
    ...(isEmpty && { nothingLeft: NOTHING_LEFT }),
    closedOutside,
    closedOutsideBefore,
    foreign,
    differing,
    strategies: strategyStatuses({ engine, ...rest }),
    trading: risk.scopes.map(one => scopeStatus(one, risk.scopes, halted, time)),
    positions: positionTexts({ ledger, runners }),
    liquidationPrices: liquidationTexts(ledger),
    held: heldPositions({ ledger, runners }, prices).map(one =>
      withTooSmallStops(withUnlistedExits(one, ledger, unlisted), engine),
    ),
    orders: ledger.orders.working.map(order => orderLine(ledger, order, unlistedByOrder(unlisted), prices)),
    equity: equityTexts(ledger, prices),
    oldPrices: oldPrices(ledger, prices),
    day: dayStatus(ledger, prices, dayStart, time),
    roundTrips: roundTripsStatus(roundTrips, time),
    balances: texts(ledger.balances.entries()),
    closing: [...engine.closing],
    closingReasons: Object.fromEntries(engine.closingReasons),
    exitsUnderWay: exitsUnderWay(engine, nextTryOf),
    comparison,
    awaitedSales,
    lockedCoins,
    line,
    unverified: [
      ...(ledger.instruments.some(one => rulesOf(one).comparedBy === 'trades') ? [UNVERIFIABLE] : []),
      ...ledger.instruments.flatMap(instrument => unknownMaintenance(instrument) ?? []),
    ],
  }
}

function roundTripsStatus(trips: TripTotals, time: number): RoundTripsStatus {
  const { since, all } = trips
  return { ...(since !== undefined && { since: utcText(since) }), totals: all, today: trips.onDayOf(time) }
}

function dayStatus(
  ledger: Ledger,
  prices: LivePrices,
  dayStart: DayStartState | undefined,
  time: number,
): DayStatus {
  const now = (quote: string) => ledger.equity(quote, prices)
  const start =
    dayStart?.equity ??
    [...new Set(ledger.instruments.map(({ quote }) => quote))].map(quote => [quote, now(quote)] as const)
  return {
    since: utcText(dayStart?.since ?? time),
    equity: texts(start),
    change: texts(start.map(([quote, equity]) => [quote, subtract(now(quote), equity)])),
  }
}

/** The engine has its runners in the order of the strategies. */
function strategyStatuses({
  engine,
  strategies,
  stopped,
}: Pick<StatusSources, 'engine' | 'strategies' | 'stopped'>): readonly StrategyStatus[] {
  return engine.runners.flatMap(({ book, symbol, interval }, index) => {
    const entry = strategies[index]
    if (entry === undefined) return []
    const why = stopped.get(book)
    return [
      {
        strategy: entry.strategy.name,
        ...{ symbol, book, interval },
        parameters: entry.strategy.parameterValues(entry.parameters),
        size: entry.size,
        ...(why !== undefined && { stopped: { ...why, left: leftOf(engine, book) } }),
      },
    ]
  })
}

/** Of instruments that are owned: other prices do not count in the equity. */
function oldPrices(ledger: Ledger, prices: LivePrices): BotStatus['oldPrices'] {
  const owned = new Set(
    [...ledger.balances.entries()].flatMap(([asset, amount]) => (amount === ZERO ? [] : asset)),
  )
  return ledger.instruments.flatMap(({ symbol, base, futures }) => {
    const isOwned = ledger.positionsOf(symbol).length > 0 || (futures === undefined && owned.has(base))
    const ageMs = isOwned ? prices.oldPriceMs(symbol) : undefined
    return ageMs === undefined ? [] : [{ symbol, ageMs }]
  })
}

/** Leaves out positions that no price liquidates. */
function liquidationTexts(ledger: Ledger): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...ledger.contracts.held].flatMap(({ book, instrument }) => {
      const price = liquidationText(ledger, book, instrument)
      return price === undefined ? [] : [[book, price] as const]
    }),
  )
}

function scopeStatus(
  { scope, state, protections }: RiskScope,
  all: readonly RiskScope[],
  halted: StatusSources['halted'],
  time: number,
): ScopeStatus {
  const wider = all.filter(
    other => isWithin(scope.symbol, other.scope.symbol) && isWithin(scope.book, other.scope.book),
  )
  const halt = scope.symbol === undefined ? undefined : halted.get(scope.symbol)
  const isInstrument = scope.book === undefined && scope.strategy === undefined
  const holds = holdsAt(state, time)
  return {
    scope: scopeText(scope),
    mode: strictestOf(holds),
    effectiveMode:
      halt === undefined ? strictestOf(wider.flatMap(other => holdsAt(other.state, time))) : 'halted',
    ...(halt !== undefined && isInstrument && { haltedUntilStart: halt }),
    holds: holds.map(holdStatus),
    protections: protections.map(({ name }) => name),
  }
}

/** Holds that stand at a time, ms UTC, the strictest first: the engine drops one whose end has come at its next event, and decides nothing before that. */
function holdsAt({ holds }: TradingState, time: number): readonly TradingHold[] {
  return strictestFirst(holds.filter(({ until }) => until === undefined || until > time))
}

function strictestOf(holds: readonly TradingHold[]): TradingMode {
  return holds.map(({ mode }) => mode).reduce(stricter, 'active')
}

/** True if a part of a scope's name lies within another's, where `undefined` covers all. */
function isWithin(part: string | undefined, other: string | undefined): boolean {
  return other === undefined || other === part
}

/** A hold with its times as text. */
export function holdStatus({ since, until, ...hold }: TradingHold): HoldStatus {
  return { ...hold, since: utcText(since), ...(until !== undefined && { until: utcText(until) }) }
}

/** A position with what exits of it have executed at the exchange, which does not list the trades yet. */
function withUnlistedExits(
  position: PositionStatus,
  ledger: Ledger,
  unlisted: readonly UnlistedOrder[],
): PositionStatus {
  const closed = unlistedExits(unlisted).get(position.book)
  if (closed === undefined) return position
  return { ...position, closedUnlisted: quantityText(ledger.instrument(position.symbol), closed) }
}

/** A position with the reason for which a part of it has no stop, where that is too small for one. */
function withTooSmallStops(
  position: PositionStatus,
  { tooSmallProtection }: Pick<Engine, 'tooSmallProtection'>,
): PositionStatus {
  const reasons = tooSmallProtection
    .filter(({ book, purpose }) => book === position.book && purpose !== 'takeProfit')
    .map(({ message }) => message)
  if (position.notCovered === undefined || reasons.length === 0) return position
  return { ...position, notCoveredBecause: [...new Set(reasons)].join(' ') }
}

function orderLine(
  ledger: Ledger,
  order: Order,
  unlisted: ReadonlyMap<string, Steps>,
  prices: LivePrices,
): OrderStatusLine {
  const { request, status, filledQuantity } = order
  const { clientOrderId, symbol, strategy, side, purpose, spec, quantity } = request
  const instrument = ledger.instrument(symbol)
  const notListed = unlisted.get(clientOrderId)
  const stopPrice =
    spec.type === 'trailingStop'
      ? (prices.stopPriceOf(clientOrderId) ?? priceOfProtection(request))
      : undefined
  return {
    clientOrderId,
    symbol,
    strategy,
    side,
    purpose,
    type: spec.type,
    status,
    ...(TriggerBook.hasKept(order) && { watchedBy: 'bot' as const }),
    unit: quantityUnit(instrument),
    quantity: quantityText(instrument, quantity),
    filled: quantityText(instrument, filledQuantity),
    ...(notListed !== undefined && { executed: quantityText(instrument, steps(filledQuantity + notListed)) }),
    prices: shownPrices(spec).map(price => priceOf(instrument, price)),
    ...('callbackRate' in spec && { callbackRate: spec.callbackRate }),
    ...(stopPrice !== undefined && { stopPrice: priceText(instrument, stopPrice) }),
  }
}

/** The prices that an order names; a trailing stop also shows where it follows from, and its distance. */
function shownPrices(spec: OrderSpec): readonly Ticks[] {
  if (spec.type !== 'trailingStop') return pricesOf(spec)
  return [spec.anchor, ...pricesOf(spec), ...('distance' in spec ? [spec.distance] : [])]
}
