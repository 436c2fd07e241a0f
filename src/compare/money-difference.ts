import type { FundingPayment } from '../domain/events/funding-payment.ts'
import type { Instrument } from '../domain/instrument.ts'
import { type Amount, absolute } from '../domain/numbers/amount.ts'
import { baseAmount, steps } from '../domain/numbers/grid.ts'
import { isForcedClose } from '../domain/orders/order-intent.ts'
import { Causes, type Evidence } from './causes.ts'
import { DIFFERENCE_PARTS, type DifferencePart } from './difference-part.ts'
import { HeldDifference } from './held-difference.ts'
import type { OrderPair } from './matched-orders.ts'
import { EXACT_UNIT, type Exact, NO_MONEY, type OrderMoney, orderMoney } from './order-money.ts'
import { type CausedMoney, priceParts, smallerSize } from './price-parts.ts'
import type { RecordedOrder } from './trading-record.ts'

/** A pair of orders with its share of the money difference. */
export interface ComparedOrder extends OrderPair {
  /** `unexplained` if any of its difference is; else of which part most of it is, `undefined` where there is none. */
  readonly cause: DifferencePart | undefined
  readonly money: { readonly live: OrderMoney; readonly backtest: OrderMoney }
  readonly parts: readonly CausedMoney[]
}

/** Everything that the account of a difference is made of. */
export interface DifferenceInput {
  readonly pairs: readonly OrderPair[]
  readonly evidence: Evidence
  readonly instrumentOf: (symbol: string) => Instrument
  /** Price at the end, quote per base. */
  readonly markOf: (symbol: string) => Amount
  /** Worth of the account at the start, in quote. */
  readonly startEquity: Amount
  /** True if klines are missing between two times. */
  readonly hasHole: (book: string, from: number, until: number) => boolean
}

/** Most relative difference of a size that a relative difference of its price may lead to: a stop two percent away. */
const PRICE_LEVERAGE = 50
/** The same of the worth of the account. */
const WORTH_LEVERAGE = 3

/**
 * Accounts for the difference of two runs, order by order. What one of them holds more keeps its cause until an order of
 * either run ends it. Once a book has come apart, orders of one run follow from that until both have done the same again.
 */
export class MoneyDifference {
  readonly orders: readonly ComparedOrder[]
  readonly parts: Readonly<Record<DifferencePart, Exact>>
  readonly #input: DifferenceInput
  readonly #causes: Causes
  /** By book. */
  readonly #held = new Map<string, HeldDifference>()
  #total = 0n

  /** `fundings`: payments of both runs that are compared. */
  constructor(
    input: DifferenceInput,
    fundings: { readonly live: readonly FundingPayment[]; readonly backtest: readonly FundingPayment[] },
  ) {
    this.#input = input
    this.#causes = new Causes(input.evidence)
    const parts = Object.fromEntries(DIFFERENCE_PARTS.map(part => [part, 0n])) as Record<
      DifferencePart,
      Exact
    >
    const compared = new Map(inEffect(input.pairs).map(pair => [pair, this.#compare(pair)]))
    this.orders = input.pairs.map(pair => compared.get(pair) as ComparedOrder) // each is there once
    for (const order of this.orders) for (const { part, amount } of order.parts) parts[part] += amount
    parts.funding += (paid(fundings.backtest) - paid(fundings.live)) * EXACT_UNIT
    this.parts = parts
  }

  #compare(pair: OrderPair): ComparedOrder {
    const [some] = [pair.live, pair.backtest].filter(order => order !== undefined)
    const { symbol } = (some as RecordedOrder).request // a pair has an order
    const mark = this.#input.markOf(symbol)
    const moneyOf = (order: RecordedOrder | undefined) =>
      order === undefined ? NO_MONEY : orderMoney(order, this.#instrumentOf(order), mark)
    const money = { live: moneyOf(pair.live), backtest: moneyOf(pair.backtest) }
    const parts = summed(this.#partsOf(pair, this.#heldOf(some as RecordedOrder), money))
    for (const { amount } of parts) this.#total += amount
    return { ...pair, money, parts, cause: causeOf(parts) }
  }

  /** The instrument of an order with the fees that its session had. */
  #instrumentOf(order: RecordedOrder): Instrument {
    const { symbol, decidedAt } = order.request
    const instrument = this.#input.instrumentOf(symbol)
    const fees = this.#input.evidence.live.feesAt(symbol, decidedAt)
    return fees === undefined ? instrument : { ...instrument, fees }
  }

  #partsOf(pair: OrderPair, held: HeldDifference, money: ComparedOrder['money']): readonly CausedMoney[] {
    const { live, backtest } = pair
    const whole = money.live.result - money.backtest.result
    if (live === undefined || backtest === undefined) {
      if (money.live.base === 0n && money.backtest.base === 0n && live?.request.protects !== undefined)
        return []
      const cause = this.#causes.ofUnmatched(pair) ?? held.cause ?? 'unexplained'
      return held.diverge(moreIn(money, 'held'), whole, cause)
    }
    if (isForcedClose(live.request.purpose)) return this.#forcedParts(live, backtest, held, money)
    const fees = money.live.usualFees - money.live.fees - (money.backtest.usualFees - money.backtest.fees)
    const prices = this.#pricesOf(live, backtest, money)
    const rest = prices.reduce((left, { amount }) => left - amount, whole - fees)
    const base = moreIn(money, 'usuallyHeld')
    const feeParts = held.move((moreIn(money, 'held') - base) as Amount, fees, 'fees')
    if (money.live.base !== money.backtest.base)
      return [...prices, ...feeParts, ...held.diverge(base, rest, this.#quantityCause(live, backtest, held))]
    const odd = oddOf(rest, money)
    const restParts = held.move(base, rest - odd, 'spread')
    if (money.live.base !== 0n) held.reunite()
    return [...prices, ...feeParts, ...restParts, { part: 'unexplained', amount: odd }]
  }

  /**
   * A liquidation takes all that is behind a position: what its price leaves is in its fee, and one run's price is not held
   * against that of the other.
   */
  #forcedParts(
    live: RecordedOrder,
    backtest: RecordedOrder,
    held: HeldDifference,
    money: ComparedOrder['money'],
  ): readonly CausedMoney[] {
    const common = smallerSize(money.live.base, money.backtest.base)
    const taken = common === 0n ? 0n : scaled(money.live, common) - scaled(money.backtest, common)
    const rest = money.live.result - money.backtest.result - taken
    const base = moreIn(money, 'held')
    const outside: CausedMoney = { part: 'outside', amount: taken }
    if (money.live.base !== money.backtest.base)
      return [outside, ...held.diverge(base, rest, this.#quantityCause(live, backtest, held))]
    const restParts = held.move(base, rest, 'outside')
    if (money.live.base !== 0n) held.reunite()
    return [outside, ...restParts]
  }

  #pricesOf(
    live: RecordedOrder,
    backtest: RecordedOrder,
    money: ComparedOrder['money'],
  ): readonly CausedMoney[] {
    if (smallerSize(money.live.base, money.backtest.base) === 0n) return []
    const { evidence, hasHole } = this.#input
    const stream = evidence.streamOf(live.book)
    const parts = priceParts(
      {
        ...{ live, backtest },
        departure: evidence.live.departures.get(live.request.clientOrderId),
        shownAt: evidence.live.decidedWhen(stream, live.request),
        hasHole:
          !isResting(live) &&
          hasHole(live.book, live.request.decidedAt, backtest.fills[0]?.time ?? live.request.decidedAt),
      },
      money,
    )
    // Another strategy may want other prices of what rests.
    if (!isResting(live) || !this.#causes.isChanged(live)) return parts
    return parts.map(({ amount }) => ({ part: 'changedStrategy', amount }))
  }

  /** Cause of another filled quantity. */
  #quantityCause(live: RecordedOrder, backtest: RecordedOrder, held: HeldDifference): DifferencePart {
    if (live.request.quantity === backtest.request.quantity || isWhole(live) !== isWhole(backtest))
      return this.#causes.ofFilled(live, backtest) ?? 'unexplained'
    if (held.isApart && held.cause !== undefined && !isOpening(live)) return held.cause
    if (this.#causes.isChanged(live)) return 'changedStrategy'
    if (this.#isSizeExplained(live, backtest, held.base)) return 'sizes'
    // Every size is found anew: an explained one before it is no reason for this one.
    return held.cause === undefined || held.cause === 'sizes' ? 'unexplained' : held.cause
  }

  /**
   * A size follows from the worth of the account, from prices, and, of a target, from the base that the book holds more or
   * less; two steps are rounding.
   */
  #isSizeExplained(live: RecordedOrder, backtest: RecordedOrder, held: Amount): boolean {
    const [wanted, other] = [live.request, backtest.request]
    const worth = Math.abs(Number(this.#total)) / Number(this.#input.startEquity * EXACT_UNIT)
    const price = Math.abs(wanted.referencePrice / other.referencePrice - 1)
    const share = WORTH_LEVERAGE * worth + PRICE_LEVERAGE * price
    const step = baseAmount(this.#input.instrumentOf(wanted.symbol), steps(1))
    const most = 2 + other.quantity * share + Math.abs(Number(held)) / Number(step)
    return Math.abs(wanted.quantity - other.quantity) <= most
  }

  #heldOf({ book, request: { symbol } }: RecordedOrder): HeldDifference {
    const known = this.#held.get(book)
    if (known !== undefined) return known
    const held = new HeldDifference(baseAmount(this.#input.instrumentOf(symbol), steps(1)))
    this.#held.set(book, held)
    return held
  }
}

/** The amount of base that live holds beyond the backtest. */
function moreIn({ live, backtest }: ComparedOrder['money'], amount: 'held' | 'usuallyHeld'): Amount {
  return (live[amount] - backtest[amount]) as Amount
}

/** Rounding of price parts, in units of 10^-36. */
const MOST_ROUNDING = 1000n

/** What prices and fee rates leave of equal quantities, but for the fee of another price: nothing, or it is a defect. */
function oddOf(rest: Exact, { live, backtest }: ComparedOrder['money']): Exact {
  const odd = rest - (backtest.usualFees - live.usualFees)
  return odd < MOST_ROUNDING && odd > -MOST_ROUNDING ? 0n : odd
}

/** The part of a result that belongs to a part of its base. */
function scaled({ result, base }: OrderMoney, part: Amount): Exact {
  return (result * part) / absolute(base)
}

/** True if an order was filled to its end. */
function isWhole({ status }: RecordedOrder): boolean {
  return status === 'filled'
}

function isOpening({ request }: RecordedOrder): boolean {
  return request.purpose === 'entry'
}

function isResting({ request }: RecordedOrder): boolean {
  return request.spec.type !== 'market'
}

function paid(payments: readonly FundingPayment[]): bigint {
  return payments.reduce((sum, { amount }) => sum + amount, 0n)
}

/**
 * Pairs as they took effect: an exit, which may have waited long for its price, at its first fill, so that what changed its
 * position meanwhile counts before it; a liquidation once the bot knew of it; any other at its decision, on which its size depends.
 */
function inEffect(pairs: readonly OrderPair[]): readonly OrderPair[] {
  const timeOf = ({ live, backtest }: OrderPair) => {
    const order = (live ?? backtest) as RecordedOrder // a pair has an order
    const isDecided = isOpening(order) || isForcedClose(order.request.purpose)
    const filled = isDecided ? undefined : (live?.fills[0] ?? backtest?.fills[0])
    return filled?.time ?? order.request.decidedAt
  }
  return pairs
    .map(pair => ({ pair, time: timeOf(pair) }))
    .sort((left, right) => left.time - right.time)
    .map(({ pair }) => pair)
}

/** Amounts by their parts, without those that are zero. */
function summed(caused: readonly CausedMoney[]): readonly CausedMoney[] {
  const sums = new Map<DifferencePart, Exact>()
  for (const { part, amount } of caused) sums.set(part, (sums.get(part) ?? 0n) + amount)
  return [...sums].map(([part, amount]) => ({ part, amount })).filter(({ amount }) => amount !== 0n)
}

function causeOf(parts: readonly CausedMoney[]): DifferencePart | undefined {
  if (parts.some(({ part }) => part === 'unexplained')) return 'unexplained'
  const size = ({ amount }: CausedMoney) => (amount < 0n ? -amount : amount)
  return parts.toSorted((left, right) => (size(right) > size(left) ? 1 : -1))[0]?.part
}
