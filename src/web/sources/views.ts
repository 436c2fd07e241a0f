import { statusWarnings } from '../../bot/log/status-warnings.ts'
import { momentText } from '../../bot/text/figures.ts'
import { orderPricesText } from '../../bot/text/order-prices-text.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import type { AssessedOrder, DecisionRecord } from '../history/decision-record.ts'
import type { TradingHistory } from '../history/trading-history.ts'
import type { ViewQuery } from '../window-source.ts'
import { chartView } from './chart-view.ts'
import { checkFigure } from './check-figure.ts'
import { type HealthSign, healthSigns } from './health-signs.ts'
import { riskView } from './risk-view.ts'
import { thinnedCurve } from './thinned-curve.ts'
import type { CodeChange, MakeView, ViewState } from './view-state.ts'

/** Every view by its name. */
export const VIEWS: Readonly<Record<string, MakeView>> = {
  overview: overviewView,
  chart: chartView,
  decisions: ({ history }, query) => decisionList(history, query),
  decision: (state, { id }) => decisionView(state, Number(id)),
  orders: ordersView,
  order: ({ history }, { id }) => history.orders.of(id ?? ''),
  risk: riskView,
  comparison: ({ comparison }) => comparison ?? { type: 'none' },
}

/** Points of the curve of equity. */
const MOST_POINTS = 300
/** Lines and rows of a list. */
const MOST_ROWS = 200

function overviewView({ history, status, health, time, stoppedAt, changed }: ViewState): unknown {
  const { decisions, lines } = history
  const equity = history.equity.all
  const signs: readonly HealthSign[] = health === undefined ? [] : healthSigns({ history, status, health })
  return {
    time,
    status,
    ...(stoppedAt !== undefined && { stoppedAt }),
    health: signs,
    warnings: [
      ...(stoppedAt === undefined ? [] : [stoppedText(stoppedAt)]),
      ...(changed === undefined ? [] : [changedText(changed)]),
      // A journal is compared with no account.
      ...statusWarnings(health === undefined ? { ...status, comparison: 'agreed' } : status),
    ],
    // It ends with what is owned now.
    curve: equity.length === 0 ? [] : [...thinnedCurve(equity, MOST_POINTS), { time, equity: status.equity }],
    lines: lines.slice(-40).reverse(),
    lastDecision: decisions.at(-1) && rowOf(decisions.at(-1) as DecisionRecord), // there is one
  }
}

function stoppedText(time: number): string {
  return `NOT RUNNING: no bot writes this journal. Its last entry is of ${momentText(utcText(time))}, and what is shown is of then.`
}

function changedText({ time, why }: CodeChange): string {
  return `CODE CHANGED: from ${momentText(utcText(time))} on, what is shown is what the journal itself tells, without values of indicators and figures of passed checks, because the bot cannot be run again as it was: ${why.replace(/\.$/, '')}.`
}

/**
 * The latest decisions, the latest first: those before an id, up to a time, of an outcome, or all but those without one, of a symbol, or
 * at the closes of the klines of a stream that opened from one time on and before another, ms UTC.
 */
function decisionList(
  history: TradingHistory,
  { before, outcome, symbol, stream, from, to, until }: ViewQuery,
): DecisionList {
  const found = history.decisions.filter(
    one =>
      (before === undefined || one.id < Number(before)) &&
      (outcome === undefined || (outcome === 'some' ? one.outcome !== 'nothing' : one.outcome === outcome)) &&
      (symbol === undefined || one.symbol === symbol) &&
      (until === undefined || one.time <= Number(until)) &&
      (stream === undefined || isAtClose(one, stream, Number(from), Number(to))),
  )
  const since = history.decisionsSince(outcome === undefined || outcome === 'nothing' ? 'all' : 'some')
  return {
    decisions: found.slice(-MOST_ROWS).reverse().map(rowOf),
    count: found.length,
    ...(since !== undefined && { since }),
  }
}

/** Decisions, the latest first, and how many there are of them. */
interface DecisionList {
  readonly decisions: readonly object[]
  /** Of all that fit, also of those that are not listed. */
  readonly count: number
  /** Time from which they are known, ms UTC; absent where all are. */
  readonly since?: number
}

function isAtClose({ symbol, kline }: DecisionRecord, stream: string, from: number, to: number): boolean {
  if (kline === undefined || `${symbol} ${kline.interval}` !== stream) return false
  return kline.openTime >= from && kline.openTime < to
}

function rowOf({
  id,
  time,
  strategy,
  symbol,
  outcome,
  signals,
  orders,
  cause,
  idle,
}: DecisionRecord): object {
  const denial = orders.find(one => one.denial !== undefined)?.denial?.message
  const ordered = orders.filter(one => one.denial === undefined).map(({ purpose }) => purpose)
  return {
    ...{ id, time, strategy, symbol, outcome, signals, cause, ordered },
    ...(denial !== undefined && { denial }),
    ...(idle !== undefined && { idle }),
  }
}

/** A decision with the orders that it led to, what protects them, and what they earned. */
function decisionView({ history, changed }: ViewState, id: number): unknown {
  const decision = history.decisions.find(one => one.id === id)
  if (decision === undefined) return undefined
  const ids = new Set(decision.orders.map(({ clientOrderId }) => clientOrderId))
  const orders = history.orders.all.filter(
    ({ clientOrderId, protects }) => ids.has(clientOrderId) || (protects !== undefined && ids.has(protects)),
  )
  const fills = orders.filter(({ clientOrderId }) => ids.has(clientOrderId)).flatMap(one => one.fills)
  const times = new Set(fills.map(({ time }) => time))
  const trips = history.trips.filter(
    ({ symbol, entryTime, exitTime }) =>
      symbol === decision.symbol && (times.has(entryTime) || times.has(exitTime)),
  )
  const instruments = history.session?.instruments ?? []
  return {
    decision: { ...decision, orders: decision.orders.map(one => roundedChecks(one, instruments)) },
    orders,
    trips,
    ...(changed !== undefined && { isCodeChanged: true }),
  }
}

/** Figures of a check, each with its unit. */
interface Figures {
  readonly limit: string
  readonly actual: string
}

/** Figures as people read them; exact where rounding would hide which of them is the larger. */
function roundedFigures({ limit, actual }: Figures, instruments: readonly Instrument[]): Figures {
  const rounded = { limit: checkFigure(limit, instruments), actual: checkFigure(actual, instruments) }
  return rounded.limit === rounded.actual ? { limit, actual } : rounded
}

/** An order with the figures of its checks as people read them. */
function roundedChecks(order: AssessedOrder, instruments: readonly Instrument[]): AssessedOrder {
  const rounded = <T extends Figures>(check: T): T => ({ ...check, ...roundedFigures(check, instruments) })
  const { passed, denial } = order
  return { ...order, passed: passed.map(rounded), ...(denial !== undefined && { denial: rounded(denial) }) }
}

function ordersView({ history, status, hasJournalFiles = false }: ViewState): unknown {
  const working = new Set(status.orders.map(({ clientOrderId }) => clientOrderId))
  const kept = history.trips.length
  // Counting began later than the entries of a journal that an earlier version began.
  const counted = status.roundTrips.totals.reduce((sum, { count }) => sum + count, 0)
  const over = history.orders.all.filter(({ clientOrderId }) => !working.has(clientOrderId))
  return {
    working: status.orders.map(one => ({ ...one, pricesText: orderPricesText(one) })),
    positions: status.held,
    over: over.slice(-MOST_ROWS).reverse(),
    trips: history.trips.slice(-MOST_ROWS).reverse(),
    // Counts of all orders that the window has known, of all round trips, and of those in the files.
    overCount: {
      ...{ all: over.length + history.orders.dropped, kept: over.length, hasJournalFiles },
      ...(history.begunAt !== undefined && { since: history.begunAt }),
    },
    tripCount: { all: Math.max(counted, kept), kept, hasJournalFiles },
    roundTrips: status.roundTrips,
  }
}
