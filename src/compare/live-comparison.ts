import type { FillSettings } from '../../backtest/models/fill-settings.ts'
import type { LoadStrategy } from '../bot/state/bot-state.ts'
import type { SessionRecord } from '../bot/state/session-record.ts'
import { wholeBook } from '../domain/book-names.ts'
import type { FundingPayment } from '../domain/events/funding-payment.ts'
import { closeTimeOf, type Interval, intervalMs } from '../domain/market-data/interval.ts'
import { type Amount, amountFromNumber, amountToNumber } from '../domain/numbers/amount.ts'
import type { RoundTrip } from '../domain/round-trip.ts'
import type { Engine } from '../engine/engine.ts'
import { journalText } from '../journal/journal-text.ts'
import {
  type ComparisonVerdict,
  comparisonVerdictOf,
  type FilledOrders,
  filledOrders,
  type Turnovers,
} from './comparison-verdict.ts'
import { DIFFERENCE_PARTS, type DifferencePart } from './difference-part.ts'
import type { BookScope, LiveRecord } from './live-record.ts'
import { comparedSession, type LiveSpan } from './live-span.ts'
import { matchedOrders } from './matched-orders.ts'
import { type ComparedOrder, MoneyDifference } from './money-difference.ts'
import { EXACT_UNIT } from './order-money.ts'
import { type PredictedResult, predictedResult } from './predicted-result.ts'
import { playSpan } from './span-backtest.ts'
import type { RecordedOrder, TradingRecord } from './trading-record.ts'
import { type UnreplayedFeed, unreplayedFeeds } from './unreplayed-feeds.ts'

/** Settings of a comparison. */
export interface ComparisonSettings {
  readonly fills: FillSettings
  readonly load: LoadStrategy
  /** Hash of the code of a strategy's file as `load` gave it. */
  readonly hashOf: (file: string) => string | undefined
  /** Largest difference that counts as kept, as a fraction of what live turned over. */
  readonly boundRate: number
}

/** A bot's run beside the backtest of what it has seen; amounts in quote. */
export interface LiveComparison {
  readonly bot: string
  readonly quote: string
  /** ms UTC. */
  readonly from: number
  readonly until: number
  readonly verdict: ComparisonVerdict
  /** Result of the compared orders and funding, open positions at the latest price. */
  readonly live: Amount
  readonly backtest: Amount
  /** Live less backtest. */
  readonly difference: Amount
  /** Its parts, which add up to it. */
  readonly parts: Readonly<Record<DifferencePart, Amount>>
  readonly turnover: Turnovers
  readonly filled: FilledOrders
  /** Fraction of the span in which live could not enter: held by the operator or a protection, stopped, or down. */
  readonly downtime: number
  readonly boundRate: number
  /** Average result of live round trips but those of commands, beside the interval of the backtest's; `undefined` with too few of them. */
  readonly predicted: PredictedResult | undefined
  /** Strategies that decided on feeds which a comparison cannot replay; nothing of theirs is compared. */
  readonly leftOut: readonly UnreplayedFeed[]
  readonly orders: readonly ComparedOrder[]
  readonly trips: { readonly live: readonly RoundTrip[]; readonly backtest: readonly RoundTrip[] }
  readonly fundings: {
    readonly live: readonly FundingPayment[]
    readonly backtest: readonly FundingPayment[]
  }
  readonly session: SessionRecord
}

/** Plays the backtest of a span, and accounts for every difference from what happened. */
export async function compareSpan(span: LiveSpan, settings: ComparisonSettings): Promise<LiveComparison> {
  const { start, live } = span
  const session = comparedSession(live)
  const { trading: played, engine, startEquity } = await playSpan({ start, live, ...settings })
  const leftOut = unreplayedFeeds(live, engine.runners)
  const ends = endsOf(engine, live, new Set(leftOut.flatMap(({ books }) => books)))
  const isCompared = ({ book, request: { decidedAt } }: RecordedOrder) => decidedAt < ends.of(book)
  const isOver = (book: string, time: number) => time < ends.of(book)
  const fundings = {
    live: live.trading.fundings.filter(({ time, book }) => isOver(book, time)),
    backtest: played.fundings.filter(({ time, book }) => isOver(book, time)),
  }
  const account = new MoneyDifference(
    {
      pairs: matchedOrders(ordersUntil(live.trading, isOver), played.orders, isCompared, book =>
        intervalMs(ends.intervalOf(book)),
      ),
      evidence: {
        ...{ live, backtest: played, streamOf: ends.streamOf },
        isChangedAt: time =>
          isChanged(live.sessionAt(time).session, session, settings) || (span.differsAt ?? Infinity) <= time,
      },
      instrumentOf: symbol => engine.ledger.instrument(symbol),
      markOf: symbol => markOf(live, engine, symbol),
      startEquity,
      hasHole: (book, from, until) => until - from >= intervalMs(ends.intervalOf(book)),
    },
    fundings,
  )
  return summed({ account, engine, fundings, session, settings, span, played, isOver, leftOut })
}

interface Ends {
  readonly of: (book: string) => number
  readonly streamOf: (book: string) => string
  readonly intervalOf: (book: string) => Interval
}

/** Until when each book is compared: the latest close of its klines, because a backtest trades at no later open. Of those left out, nothing. */
function endsOf(engine: Engine, live: LiveRecord, leftOut: ReadonlySet<string>): Ends {
  const books = new Map<string, { readonly stream: string; readonly interval: Interval }>(
    engine.runners.flatMap(({ markets, interval }) =>
      markets.map(({ book, symbol }) => [book, { stream: `${symbol} ${interval}`, interval }] as const),
    ),
  )
  const infoOf = (book: string) => books.get(wholeBook(book)) ?? { stream: book, interval: '1m' }
  const last = new Map([...books.values()].map(({ stream }) => [stream, live.lastClose(stream)]))
  return {
    of: book =>
      (leftOut.has(wholeBook(book)) ? undefined : last.get(infoOf(book).stream)) ?? Number.NEGATIVE_INFINITY,
    streamOf: book => infoOf(book).stream,
    intervalOf: book => infoOf(book).interval,
  }
}

/**
 * Orders of a record without fills behind the end of their book, but of market orders that were decided before it. The
 * record keeps those fills: the klines that explain them come later.
 */
function ordersUntil(
  { orders }: TradingRecord,
  isOver: (book: string, time: number) => boolean,
): ReadonlyMap<string, RecordedOrder> {
  const until = (order: RecordedOrder) =>
    order.request.spec.type === 'market'
      ? order
      : { ...order, fills: order.fills.filter(({ time }) => isOver(order.book, time)) }
  return new Map([...orders].map(([id, order]) => [id, until(order)]))
}

function isChanged(ran: SessionRecord, compared: SessionRecord, { hashOf }: ComparisonSettings): boolean {
  if (journalText([ran.strategies, ran.risk]) !== journalText([compared.strategies, compared.risk]))
    return true
  return Object.entries(ran.sources ?? {}).some(([file, hash]) => hashOf(file) !== hash)
}

function markOf(live: LiveRecord, { ledger }: Engine, symbol: string): Amount {
  let latest: { readonly at: number; readonly close: number } | undefined
  for (const [stream, klines] of live.klines) {
    const space = stream.lastIndexOf(' ')
    if (stream.slice(0, space) !== symbol) continue
    const kline = [...klines.values()].at(-1)
    if (kline === undefined) continue
    const at = closeTimeOf(kline.openTime, stream.slice(space + 1) as Interval) // written by `LiveRecord`
    if (latest === undefined || at > latest.at) latest = { at, close: kline.close }
  }
  return amountFromNumber(latest?.close ?? ledger.markOf(symbol) ?? 0)
}

interface Accounted {
  readonly account: MoneyDifference
  readonly engine: Engine
  readonly fundings: LiveComparison['fundings']
  readonly session: SessionRecord
  readonly settings: ComparisonSettings
  readonly span: LiveSpan
  readonly played: TradingRecord
  readonly isOver: (book: string, time: number) => boolean
  readonly leftOut: LiveComparison['leftOut']
}

function summed({
  account,
  engine,
  fundings,
  session,
  settings,
  span,
  played,
  isOver,
  leftOut,
}: Accounted): LiveComparison {
  const { start, live } = span
  const [lived, promised] = (['live', 'backtest'] as const).map(
    run =>
      account.orders.reduce((sum, { money }) => sum + money[run].result, 0n) / EXACT_UNIT -
      fundings[run].reduce((sum, { amount }) => sum + amount, 0n),
  ) as [bigint, bigint]
  const turnoverOf = (run: 'live' | 'backtest') =>
    (account.orders.reduce((sum, { money }) => sum + money[run].notional, 0n) / EXACT_UNIT) as Amount
  const turnover = { live: turnoverOf('live'), backtest: turnoverOf('backtest') }
  const difference = (lived - promised) as Amount
  const parts = rounded(account.parts, difference)
  const filled = filledOrders(account.orders)
  const { boundRate } = settings
  const trips = {
    live: live.trading.trips.filter(({ book, exitTime }) => isOver(book, exitTime)),
    backtest: played.trips.filter(({ book, exitTime }) => isOver(book, exitTime)),
  }
  const predicted = predictedResult(resultsOf(trips.backtest), resultsOf(trips.live))
  return {
    ...{ bot: session.bot, quote: session.instruments[0]?.quote ?? '' },
    ...{ from: start.time, until: live.time, session, fundings, parts, difference },
    ...{ leftOut, filled, predicted, trips },
    verdict: comparisonVerdictOf({
      ...{ turnover, difference, parts, boundRate },
      ...{ filled, predicted },
      isAllLeftOut: leftOut.length === engine.runners.length,
    }),
    ...{ live: lived as Amount, backtest: promised as Amount, turnover, boundRate },
    downtime: live.downtime(scopesOf(engine), start.time),
    orders: account.orders,
  }
}

/** Results of round trips that no command of the operator opened or closed, in quote. */
function resultsOf(trips: readonly RoundTrip[]): readonly number[] {
  return trips
    .filter(({ entryReason, exitReason }) => entryReason !== 'operator' && exitReason !== 'operator')
    .map(({ pnl }) => amountToNumber(pnl))
}

/** The scopes of all that a bot trades. */
function scopesOf({ runners }: Engine): readonly BookScope[] {
  return runners.flatMap(({ markets }) =>
    markets.map(({ strategy, book, symbol }) => ({ symbol, strategy, book })),
  )
}

/** Parts in quote that add up to the difference: what rounding at 10^-18 leaves goes to the largest. */
function rounded(parts: MoneyDifference['parts'], difference: Amount): LiveComparison['parts'] {
  const found = Object.fromEntries(DIFFERENCE_PARTS.map(part => [part, parts[part] / EXACT_UNIT])) as Record<
    DifferencePart,
    bigint
  >
  const size = (part: DifferencePart) => (found[part] < 0n ? -found[part] : found[part])
  const most = DIFFERENCE_PARTS.reduce((best, part) => (size(part) > size(best) ? part : best))
  found[most] += difference - DIFFERENCE_PARTS.reduce((sum, part) => sum + found[part], 0n)
  return found as LiveComparison['parts']
}
