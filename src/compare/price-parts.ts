import { type Amount, absolute, amountFromNumber } from '../domain/numbers/amount.ts'
import type { DifferencePart } from './difference-part.ts'
import type { OrderDeparture } from './live-record.ts'
import type { Exact, OrderMoney } from './order-money.ts'
import type { RecordedOrder } from './trading-record.ts'

/** An amount of the money difference with its cause; negative where live had less. */
export interface CausedMoney {
  readonly part: DifferencePart
  readonly amount: Exact
}

/** Time on the way from which on a move of the price counts as latency, ms of the venue's clock. */
const USUAL_LATENCY_MS = 500
/** Lateness of a decision from which on a move of the price counts as caused by a late kline, ms of the venue's clock. */
export const USUAL_LATENESS_MS = 10_000

/** The two executions of one order. */
export interface ExecutionFacts {
  readonly live: RecordedOrder
  readonly backtest: RecordedOrder
  readonly departure: OrderDeparture | undefined
  /** When the bot decided, ms UTC; `undefined` where not on a kline. */
  readonly shownAt: number | undefined
  /** True if klines are missing between the decision and the fill of the backtest. */
  readonly hasHole: boolean
}

/**
 * Splits a difference in price over the quantity that both traded: the losses of the fill model against half the spread
 * that was quoted at departure; how the price moved until then, and after. The parts add up to the difference exactly.
 */
export function priceParts(
  facts: ExecutionFacts,
  money: { readonly live: OrderMoney; readonly backtest: OrderMoney },
): readonly CausedMoney[] {
  const common = smallerSize(money.live.base, money.backtest.base)
  if (common === 0n) return []
  const sign = facts.live.request.side === 'buy' ? 1n : -1n
  const [paid, played, before] = [
    scaled(money.live.notional, common, money.live.base),
    scaled(money.backtest.notional, common, money.backtest.base),
    scaled(money.backtest.notionalBeforeLoss, common, money.backtest.base),
  ]
  const whole = sign * (played - paid)
  if (!isTaker(facts)) return [{ part: 'restingOrders', amount: whole }]
  const { departure } = facts
  if (departure?.quote === undefined) return [{ part: withoutQuote(facts), amount: whole }]
  const { bid, ask } = departure.quote
  const side = amountFromNumber(sign > 0n ? ask : bid)
  const mid = (amountFromNumber(bid) + amountFromNumber(ask)) / 2n
  return [
    { part: 'spread', amount: sign * (played - before) - sign * (side - mid) * common },
    { part: beforePart(facts), amount: sign * (before - mid * common) },
    { part: afterPart(facts, departure), amount: sign * (side * common - paid) },
  ]
}

/** Base that both runs traded, without its sign. */
export function smallerSize(left: Amount, right: Amount): Amount {
  const [one, other] = [absolute(left), absolute(right)]
  return one < other ? one : other
}

/** Part of a notional that belongs to a part of its base. */
function scaled(notional: Exact, part: Amount, base: Amount): Exact {
  return (notional * part) / absolute(base)
}

/** True if an order took what it met: at market, or as a stop. */
function isTaker({ live, backtest }: ExecutionFacts): boolean {
  return [...live.fills, ...backtest.fills].every(({ liquidity }) => liquidity === 'taker')
}

/** Cause of a move between the close that both decided on and the departure. */
function beforePart({ live, shownAt, hasHole }: ExecutionFacts): DifferencePart {
  if (hasHole) return 'missedKlines'
  if (live.request.spec.type !== 'market') return 'restingOrders'
  return isLate(live, shownAt) ? 'lateKlines' : 'latency'
}

function isLate({ request }: RecordedOrder, shownAt: number | undefined): boolean {
  return shownAt !== undefined && shownAt - request.decidedAt > USUAL_LATENESS_MS
}

function afterPart({ live }: ExecutionFacts, departure: OrderDeparture): DifferencePart {
  return arrivalOf(live) - departure.time > USUAL_LATENCY_MS ? 'latency' : 'spread'
}

function withoutQuote(facts: ExecutionFacts): DifferencePart {
  const { live, hasHole, shownAt } = facts
  if (hasHole || live.request.spec.type !== 'market' || isLate(live, shownAt)) return beforePart(facts)
  const since = shownAt ?? live.request.decidedAt
  return arrivalOf(live) - since > USUAL_LATENCY_MS ? 'latency' : 'spread'
}

function arrivalOf({ fills }: RecordedOrder): number {
  return fills[0]?.time ?? Number.NaN
}
