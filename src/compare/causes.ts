import { type HoldSource, scopeKey } from '../domain/events/trading-hold.ts'
import type { Denial } from '../domain/orders/denial.ts'
import { isForcedClose } from '../domain/orders/order-intent.ts'
import { isWorking } from '../domain/orders/order-status.ts'
import type { DifferencePart } from './difference-part.ts'
import { type LiveRecord, scopesAbove } from './live-record.ts'
import { decisionKey, type OrderPair } from './matched-orders.ts'
import { USUAL_LATENESS_MS } from './price-parts.ts'
import type { RecordedOrder, TradingRecord } from './trading-record.ts'

/** Everything from which the cause of a difference is told. */
export interface Evidence {
  readonly live: LiveRecord
  readonly backtest: TradingRecord
  /** Stream of the klines of a book, `symbol interval`. */
  readonly streamOf: (book: string) => string
  /** True if the code or the parameters that ran at a time, ms UTC, are not those of the backtest. */
  readonly isChangedAt: (time: number) => boolean
}

/** Tells why an order was placed in one run only, or filled otherwise; `undefined` if nothing in the journal says why. */
export class Causes {
  readonly #evidence: Evidence
  readonly #liveDenials: ReadonlyMap<string, Denial>
  readonly #backtestDenials: ReadonlyMap<string, Denial>

  constructor(evidence: Evidence) {
    this.#evidence = evidence
    this.#liveDenials = denialsByKey(evidence.live.trading.denials)
    this.#backtestDenials = denialsByKey(evidence.backtest.denials)
  }

  /** Cause of an order that one run alone placed. */
  ofUnmatched({ live, backtest }: OrderPair): DifferencePart | undefined {
    if (backtest !== undefined) return this.#whyNotLive(backtest)
    return live && this.#whyOnlyLive(live)
  }

  /** Cause of another filled quantity of an order that both runs asked for alike. */
  ofFilled(live: RecordedOrder, backtest: RecordedOrder): DifferencePart | undefined {
    const [lived, played] = [filledOf(live), filledOf(backtest)]
    if (lived >= played) return isResting(live) ? 'restingOrders' : 'partialFills'
    if (this.#isClosedByForce(live)) return 'outside'
    const until = Math.max(live.request.decidedAt, this.#shownAt(live) ?? 0)
    const held = this.#heldAt(live, until) ?? this.#commandedAfter(live)
    if (live.status === 'rejected') return 'held'
    if (held !== undefined && !isWorking(live.status)) return held
    if (this.#isInterrupted(live)) return 'restarts'
    if (lived > 0) return 'partialFills'
    return isResting(live) ? 'restingOrders' : 'held'
  }

  /** True if the code or the parameters of an order's session are others. */
  isChanged({ request }: RecordedOrder): boolean {
    return this.#evidence.isChangedAt(request.decidedAt)
  }

  #whyNotLive(order: RecordedOrder): DifferencePart | undefined {
    const { live, streamOf } = this.#evidence
    const { decidedAt, clientOrderId, symbol, purpose } = order.request
    // Live may learn of a liquidation only some klines later.
    if (isForcedClose(purpose) && (this.#isClosedByForce(order) || this.#isOutOfReach(order)))
      return 'outside'
    const shownAt = this.#shownAt(order)
    const time = shownAt ?? decidedAt
    const held = this.#heldAt(order, time)
    if (held !== undefined) return held
    if (live.hasStopped(order.book, symbol, time) || this.#liveDenials.has(decisionKey(clientOrderId)))
      return 'held'
    const isOfKline = this.#isClose(order)
    if (isOfKline && shownAt === undefined) return 'restarts'
    if (this.isChanged(order)) return 'changedStrategy'
    const delay = this.#delayOf(order, shownAt)
    if (delay !== undefined) return delay
    return live.missed.some(
      missed => streamOf(order.book).startsWith(`${missed.symbol} `) && missed.until <= decidedAt,
    )
      ? 'missedKlines'
      : undefined
  }

  #whyOnlyLive(order: RecordedOrder): DifferencePart | undefined {
    const { purpose, clientOrderId } = order.request
    if (purpose === 'operator') return 'operator'
    if (isForcedClose(purpose)) return 'outside'
    if (this.isChanged(order)) return 'changedStrategy'
    const delay = this.#delayOf(order, this.#shownAt(order))
    if (delay !== undefined) return delay
    const denial = this.#backtestDenials.get(decisionKey(clientOrderId))
    if (denial === undefined) return undefined
    return denial.rule === 'tradingState' && this.#isResumed(order) ? 'operator' : 'held'
  }

  /** True if the operator lifted live the hold of a protection that holds the backtest. */
  #isResumed(order: RecordedOrder): boolean {
    const { book, request } = order
    const { symbol, strategy, decidedAt } = request
    const { live, backtest } = this.#evidence
    const until = this.#shownAt(order) ?? decidedAt
    const scope = { symbol, strategy, book }
    return scopesAbove(scope).some(one => {
      const key = scopeKey(one)
      const latest = backtest.holds.findLast(
        change => scopeKey(change.scope) === key && change.time <= decidedAt,
      )
      return latest?.holds.some(({ source, since }) => live.isLiftedBetween(scope, source, since, until))
    })
  }

  /** A decision differs where an order before it, which a backtest fills at once, was still on its way. */
  #delayOf({ book, request }: RecordedOrder, shownAt: number | undefined): DifferencePart | undefined {
    const { decidedAt } = request
    if (shownAt === undefined || !this.#evidence.live.isUnderWay(book, decidedAt, shownAt)) return undefined
    return shownAt - decidedAt > USUAL_LATENESS_MS ? 'lateKlines' : 'latency'
  }

  #heldAt({ request, book }: RecordedOrder, time: number): DifferencePart | undefined {
    const { symbol, strategy } = request
    const sources = this.#evidence.live.heldBy({ symbol, strategy, book }, time)
    return sources.length === 0 ? undefined : partOfHold(sources)
  }

  /**
   * True for a liquidation of the backtest on a kline that did not reach the liquidation price of live, which had entered at
   * another; or reached it with traded prices, where the mark price, by which an exchange liquidates, was seen short of it.
   */
  #isOutOfReach({ book, request: { decidedAt, symbol, side } }: RecordedOrder): boolean {
    const { live, streamOf } = this.#evidence
    const kline = live.rangeAt(streamOf(book), decidedAt)
    if (kline === undefined) return false
    const price = live.liquidationPriceIn(book, decidedAt, kline.closeTime)
    if (price === undefined) return false
    if (price === 0) return true
    const isBefore = (reached: number) => (side === 'sell' ? reached > price : reached < price)
    const mark = live.markAt(symbol, kline.closeTime)
    return isBefore(side === 'sell' ? kline.low : kline.high) || (mark !== undefined && isBefore(mark))
  }

  /** True for an exit of either run whose position the exchange or others closed live, before the bot closed any of it. */
  #isClosedByForce({ book, request }: RecordedOrder): boolean {
    if (request.purpose === 'entry') return false
    const closes = [...this.#evidence.live.trading.orders.values()].flatMap(order =>
      order.book === book && order.request.side === request.side
        ? order.fills
            .filter(({ time }) => time >= request.decidedAt)
            .map(({ time }) => ({ time, purpose: order.request.purpose }))
        : [],
    )
    const [first] = closes.toSorted((left, right) => left.time - right.time)
    return first !== undefined && isForcedClose(first.purpose)
  }

  /** A command takes resting entries back. */
  #commandedAfter(order: RecordedOrder): DifferencePart | undefined {
    const { decidedAt } = order.request
    return order.status === 'canceled' &&
      this.#evidence.live.isCommandedBetween(decidedAt, this.#evidence.live.time)
      ? 'operator'
      : undefined
  }

  /** True if a session began while an order should have worked. */
  #isInterrupted({ request, status }: RecordedOrder): boolean {
    return (
      (status === 'canceled' || status === 'expired') &&
      this.#evidence.live.sessions.some(({ time }, index) => index > 0 && time >= request.decidedAt)
    )
  }

  #shownAt({ book, request }: RecordedOrder): number | undefined {
    return this.#evidence.live.decidedWhen(this.#evidence.streamOf(book), request)
  }

  /** True if a kline of the book closed at the decision. */
  #isClose({ book, request }: RecordedOrder): boolean {
    return this.#evidence.live.hasClose(this.#evidence.streamOf(book), request.decidedAt)
  }
}

/** An operator's hold counts before those by conditions. */
function partOfHold(sources: readonly HoldSource[]): DifferencePart {
  return sources.includes('operator') ? 'operator' : 'held'
}

function denialsByKey(denials: readonly Denial[]): ReadonlyMap<string, Denial> {
  return new Map(denials.map(denial => [decisionKey(denial.intent.clientOrderId), denial]))
}

/** True if an order waits for a price. */
function isResting({ request }: RecordedOrder): boolean {
  return request.spec.type !== 'market'
}

function filledOf({ fills }: RecordedOrder): number {
  return fills.reduce((sum, { quantity }) => sum + quantity, 0)
}
