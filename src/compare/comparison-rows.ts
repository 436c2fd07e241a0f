import { moneyText } from '../bot/text/figures.ts'
import type { Instrument } from '../domain/instrument.ts'
import { utcText } from '../domain/market-data/civil-date.ts'
import { AMOUNT_DECIMALS, type Amount, amountToText } from '../domain/numbers/amount.ts'
import { baseText, priceText, wholeTicks } from '../domain/numbers/grid.ts'
import type { Purpose } from '../domain/orders/order-intent.ts'
import type { RoundTrip } from '../domain/round-trip.ts'
import { hasOtherOrders, isWithinBound, ownDifference } from './comparison-verdict.ts'
import { DIFFERENCE_PARTS, type DifferencePart, partText } from './difference-part.ts'
import type { LiveComparison } from './live-comparison.ts'
import type { ComparedOrder } from './money-difference.ts'
import { EXACT_UNIT, type Exact } from './order-money.ts'
import { earnsLess, type PredictedResult } from './predicted-result.ts'
import type { RecordedOrder } from './trading-record.ts'
import type { UnreplayedFeed } from './unreplayed-feeds.ts'

/** One side of a compared order, as exact text; quantities in base, of contracts as well; times are ISO, UTC. */
export interface OrderSideRow {
  readonly clientOrderId: string
  readonly quantity: string
  readonly filled: string
  /** Average price of its fills. */
  readonly price?: string
  /** Of the first of them. */
  readonly time?: string
  /** Sum of the fees of its fills, in `feeAsset`. */
  readonly fees: string
  /** Asset of the fee of its first fill; absent without a fill. */
  readonly feeAsset?: string
  readonly status: string
  readonly reason?: string
}

/** A compared order. */
export interface OrderRow {
  readonly match: 'matched' | 'onlyLive' | 'onlyBacktest'
  readonly decidedAt: string
  readonly symbol: string
  /** Asset of quantities. */
  readonly base: string
  readonly strategy: string
  readonly side: string
  readonly purpose: string
  readonly live?: OrderSideRow
  readonly backtest?: OrderSideRow
  /** Live less backtest, in quote. */
  readonly difference: string
  readonly parts: Readonly<Partial<Record<DifferencePart, string>>>
  readonly cause?: DifferencePart
}

/** A round trip of both runs, or of one. */
export interface TripRow {
  readonly match: OrderRow['match']
  readonly symbol: string
  /** Asset of quantities. */
  readonly base: string
  readonly direction: string
  readonly live?: TripSideRow
  readonly backtest?: TripSideRow
}

interface TripSideRow {
  readonly entryTime: string
  readonly exitTime: string
  readonly quantity: string
  readonly entryPrice: string
  readonly exitPrice: string
  readonly pnl: string
  readonly fees: string
}

/** A comparison as plain JSON: amounts as exact text, quantities in base, times ISO. */
export interface ComparisonJson {
  readonly bot: string
  readonly quote: string
  readonly from: string
  readonly until: string
  readonly verdict: LiveComparison['verdict']
  readonly sentence: string
  readonly live: string
  readonly backtest: string
  readonly difference: string
  /** Notional of the fills of each run, in quote; the bound is a fraction of that of live. */
  readonly turnover: { readonly live: string; readonly backtest: string }
  /** Fraction of the span in which live could not enter. */
  readonly downtime: number
  readonly boundRate: number
  /** Average result of live round trips beside the interval of the backtest's, in quote; absent with too few of them. */
  readonly predicted?: PredictedResult
  readonly parts: readonly { readonly part: DifferencePart; readonly text: string; readonly amount: string }[]
  /** Received; below 0, paid. */
  readonly funding: { readonly live: string; readonly backtest: string }
  /** Strategies of which nothing is compared, because they decided on feeds that a comparison cannot replay. */
  readonly leftOut: readonly Omit<UnreplayedFeed, 'books'>[]
  readonly orders: readonly OrderRow[]
  readonly trips: readonly TripRow[]
}

/** Says everything about a comparison in plain JSON. */
export function comparisonJson(comparison: LiveComparison): ComparisonJson {
  const { bot, quote, verdict, boundRate, predicted, parts, fundings } = comparison
  const received = (run: 'live' | 'backtest') =>
    amountToText(-fundings[run].reduce((sum, { amount }) => sum + amount, 0n) as Amount)
  return {
    ...{ bot, quote, verdict, boundRate },
    ...(predicted !== undefined && { predicted }),
    from: utcText(comparison.from),
    until: utcText(comparison.until),
    sentence: verdictSentence(comparison),
    live: amountToText(comparison.live),
    backtest: amountToText(comparison.backtest),
    difference: amountToText(comparison.difference),
    turnover: {
      live: amountToText(comparison.turnover.live),
      backtest: amountToText(comparison.turnover.backtest),
    },
    downtime: comparison.downtime,
    parts: DIFFERENCE_PARTS.map(part => ({ part, text: partText(part), amount: amountToText(parts[part]) })),
    funding: { live: received('live'), backtest: received('backtest') },
    leftOut: comparison.leftOut.map(({ books: _, ...row }) => row),
    orders: comparison.orders.map(order => orderRow(comparison, order)),
    trips: tripRows(comparison),
  }
}

/** The verdict in sentences for people. */
function verdictSentence(comparison: LiveComparison): string {
  const { leftOut } = comparison
  const own = ownSentence(comparison)
  return [...(own === undefined ? [] : [own]), ...leftOut.map(leftOutText)].join(' ')
}

/**
 * Such as `Strategy flip on BTC/USDT cannot be compared: 12 of its orders were decided on the feed "q" (ticker of BTC/USDT).`,
 * and why.
 */
function leftOutText({ strategy, symbol, orders, feed, shows, of }: UnreplayedFeed): string {
  const count = orders === 1 ? 'an order of its was' : `${orders} of its orders were`
  return `Strategy ${strategy} on ${symbol} cannot be compared: ${count} decided on the feed "${feed}" (${shows} of ${of}), at prices between the closes of klines, and the backtest of a comparison has nothing but klines to trade on. This says nothing about how live trades, good or bad.`
}

/** The verdict on what was compared; `undefined` where nothing can be. */
function ownSentence(comparison: LiveComparison): string | undefined {
  const { verdict, quote, difference, parts, turnover, filled } = comparison
  const money = (amount: Amount) => moneyText(amountToText(amount), quote)
  const bound = `${(comparison.boundRate * 100).toFixed(2)}% of the ${money(turnover.live)} that live turned over`
  const own = money(ownDifference(comparison))
  const isCommanded = parts.operator !== 0n
  const commanded = `${money(parts.operator)} of the difference of ${money(difference)} are due to commands of the operator`
  const [down, trips] = [downText(comparison), tripsText(comparison)]
  switch (verdict) {
    case 'nothingYet':
      return 'There is nothing to compare yet: a trade counts once the kline after its decision has closed.'
    case 'notComparable':
      return undefined
    case 'cannotTell':
      return `It cannot be told yet whether live trades as the backtest promised: live turned over ${money(turnover.live)}, less than half of the ${money(turnover.backtest)} of the backtest.${isCommanded ? ` ${commanded}.` : ''}${trips}${down}`
    case 'asPromised':
      return isCommanded
        ? `Live traded as the backtest promised, apart from commands: ${commanded}, and the other ${own} are within ${bound}.${trips}${down}`
        : `Live traded as the backtest promised: the difference of ${own} is within ${bound}.${trips}${down}`
    case 'differs':
      if (isWithinBound(comparison) && !hasOtherOrders(filled))
        return `Live did not trade as the backtest promised, although the difference of ${own} is within ${bound}.${trips} Most of the difference is ${partText(largestPart(comparison))}.${isCommanded ? ` ${commanded}.` : ''}${down}`
      if (isWithinBound(comparison))
        return `Live did not trade as the backtest promised, although the difference of ${own} is within ${bound}: of ${filled.live} orders that live filled, the backtest filled ${filled.live - filled.onlyLive}, and of ${filled.backtest} that the backtest filled, live filled ${filled.backtest - filled.onlyBacktest}. Most of the difference is ${partText(largestPart(comparison))}.${isCommanded ? ` ${commanded}.` : ''}${down}`
      return `Live differs from the backtest by ${own}${isCommanded ? ' without what commands of the operator made' : ''}, more than ${bound}; all of it has a known cause, most of it ${partText(largestPart(comparison))}.${isCommanded ? ` ${commanded}.` : ''}${down}`
    case 'unexplained':
      return `Live differs from the backtest by ${money(difference)}, and ${money(parts.unexplained)} of it cannot be explained by anything in the journal: that is a defect. Look at the orders marked unexplained, and do not trust this bot with more money until their cause is found.${down}`
  }
}

/** A sentence about the part of the span in which live could not enter, after a space; empty where there was none. */
function downText({ downtime }: LiveComparison): string {
  if (downtime === 0) return ''
  return ` Live could not enter for ${(downtime * 100).toFixed(1)}% of the span: it was held, stopped or down.`
}

/** A sentence about round trips that earn other than the backtest predicts, after a space; empty where they earn as much. */
function tripsText({ predicted, quote }: LiveComparison): string {
  if (predicted === undefined || predicted.isInside) return ''
  const money = (amount: number) => moneyText(amount.toFixed(AMOUNT_DECIMALS), quote)
  const { lower, upper, live, liveTrips } = predicted
  const [its, word] = earnsLess(predicted) ? ['But its', 'less'] : ['Its', 'more']
  return ` ${its} ${liveTrips} round trips earn ${money(live)} on average, ${word} than the ${money(lower)} to ${money(upper)} that those of the backtest predict (95%).`
}

/** The part with most of the difference, but commands of the operator. */
function largestPart({ parts }: Pick<LiveComparison, 'parts'>): DifferencePart {
  const size = (part: DifferencePart) => (parts[part] < 0n ? -parts[part] : parts[part])
  return DIFFERENCE_PARTS.filter(part => part !== 'operator').reduce((best, part) =>
    size(part) > size(best) ? part : best,
  )
}

function orderRow({ session }: LiveComparison, { live, backtest, parts, cause }: ComparedOrder): OrderRow {
  const { request } = (live ?? backtest) as RecordedOrder // a pair has an order
  const { decidedAt, symbol, strategy, side, purpose } = request
  const instrument = instrumentIn(session, symbol)
  const sums: Partial<Record<DifferencePart, Exact>> = {}
  for (const { part, amount } of parts) sums[part] = (sums[part] ?? 0n) + amount
  return {
    match: live === undefined ? 'onlyBacktest' : backtest === undefined ? 'onlyLive' : 'matched',
    decidedAt: utcText(decidedAt),
    ...{ symbol, base: instrument.base, strategy, side, purpose },
    ...(live !== undefined && { live: sideRow(instrument, live) }),
    ...(backtest !== undefined && { backtest: sideRow(instrument, backtest) }),
    difference: exactText(parts.reduce((sum, { amount }) => sum + amount, 0n)),
    parts: Object.fromEntries(Object.entries(sums).map(([part, amount]) => [part, exactText(amount)])),
    ...(cause !== undefined && { cause }),
  }
}

function exactText(amount: Exact): string {
  return amountToText((amount / EXACT_UNIT) as Amount)
}

/** Only books of the compared session are compared, so that it has the instrument of each order and round trip. */
function instrumentIn({ instruments }: LiveComparison['session'], symbol: string): Instrument {
  return instruments.find(instrument => instrument.symbol === symbol) as Instrument
}

function sideRow(instrument: Instrument, { request, fills, status, reason }: RecordedOrder): OrderSideRow {
  const filled = fills.reduce((sum, { quantity }) => sum + quantity, 0)
  const sum = fills.reduce((total, { price, quantity }) => total + price * quantity, 0)
  const fees = fills.reduce((total, { fee }) => total + fee, 0n) as Amount
  const [first] = fills
  return {
    ...{ clientOrderId: request.clientOrderId, status, fees: amountToText(fees) },
    quantity: baseText(instrument, request.quantity),
    filled: baseText(instrument, filled as typeof request.quantity), // a sum of whole steps
    ...(first !== undefined && {
      price: priceText(instrument, wholeTicks(sum / filled, 'nearest')),
      time: utcText(first.time),
      feeAsset: first.feeAsset,
    }),
    ...(reason !== undefined && { reason }),
  }
}

/** Round trips of both runs, by the orders that entered and left. */
function tripRows(comparison: LiveComparison): readonly TripRow[] {
  const pairOf = pairsByFill(comparison)
  const keyOf = (run: Run, { book, ...trip }: RoundTrip) => {
    const entry = pairOf(run, {
      book,
      time: trip.entryTime,
      price: trip.entryPrice,
      purpose: trip.entryReason,
    })
    const left = pairOf(run, { book, time: trip.exitTime, price: trip.exitPrice, purpose: trip.exitReason })
    return `${entry} ${left}`
  }
  const rest = [...comparison.trips.backtest]
  const rows = comparison.trips.live.map(live => {
    const place = rest.findIndex(other => keyOf('backtest', other) === keyOf('live', live))
    const backtest = place < 0 ? undefined : rest.splice(place, 1)[0]
    return tripRow(comparison, live, backtest)
  })
  return [...rows, ...rest.map(backtest => tripRow(comparison, undefined, backtest))]
}

type Run = 'live' | 'backtest'

/** What a round trip tells of the fill that began or ended it. */
interface TripFill {
  readonly book: string
  readonly time: number
  readonly price: number
  readonly purpose: Purpose
}

/** The pair of orders to which a fill of a run belongs; one of no compared order is told by itself. */
function pairsByFill({ orders }: LiveComparison): (run: Run, fill: TripFill) => string {
  const textOf = ({ book, time, price, purpose }: TripFill) => `${book} ${time} ${price} ${purpose}`
  const places = { live: new Map<string, string>(), backtest: new Map<string, string>() }
  orders.forEach((pair, index) => {
    for (const run of ['live', 'backtest'] as const) {
      const order = pair[run]
      if (order === undefined) continue
      const { book, fills, request } = order
      for (const { time, price } of fills)
        places[run].set(textOf({ book, time, price, purpose: request.purpose }), `${index}`)
    }
  })
  return (run, fill) => places[run].get(textOf(fill)) ?? textOf(fill)
}

function tripRow(
  { session }: LiveComparison,
  live: RoundTrip | undefined,
  backtest: RoundTrip | undefined,
): TripRow {
  const { symbol, direction } = (live ?? backtest) as RoundTrip // one of both
  const instrument = instrumentIn(session, symbol)
  const side = (trip: RoundTrip): TripSideRow => ({
    entryTime: utcText(trip.entryTime),
    exitTime: utcText(trip.exitTime),
    quantity: baseText(instrument, trip.quantity),
    entryPrice: priceText(instrument, trip.entryPrice),
    exitPrice: priceText(instrument, trip.exitPrice),
    pnl: amountToText(trip.pnl),
    fees: amountToText(trip.fees),
  })
  return {
    match: live === undefined ? 'onlyBacktest' : backtest === undefined ? 'onlyLive' : 'matched',
    ...{ symbol, base: instrument.base, direction },
    ...(live !== undefined && { live: side(live) }),
    ...(backtest !== undefined && { backtest: side(backtest) }),
  }
}
