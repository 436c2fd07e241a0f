import type { FundingPayment } from '../domain/events/funding-payment.ts'
import type { Instrument } from '../domain/instrument.ts'
import { type Amount, absolute } from '../domain/numbers/amount.ts'
import { baseAmount, steps } from '../domain/numbers/grid.ts'
import { isForcedClose } from '../domain/orders/order-intent.ts'
import { Causes, type Evidence } from './causes.ts'
import { DIFFERENCE_PARTS, type DifferencePart } from './difference-part.ts'
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
 * Accounts for the difference of two runs, order by order. Once a book has come apart, its later orders follow from that
 * until both runs have done the same again.
 */
export class MoneyDifference {
  readonly orders: readonly ComparedOrder[]
  readonly parts: Readonly<Record<DifferencePart, Exact>>
  readonly #input: DifferenceInput
  readonly #causes: Causes
  /** Why a book has come apart, and the base that live holds more than the backtest. */
  readonly #apart = new Map<string, { cause: DifferencePart; base: bigint }>()
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
    const parts = this.#partsOf(pair, some as RecordedOrder, money).filter(({ amount }) => amount !== 0n)
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

  #partsOf(pair: OrderPair, { book }: RecordedOrder, money: ComparedOrder['money']): readonly CausedMoney[] {
    const { live, backtest } = pair
    const whole = money.live.result - money.backtest.result
    if (live === undefined || backtest === undefined) {
      if (money.live.base === 0n && money.backtest.base === 0n && live?.request.protects !== undefined)
        return []
      const cause = this.#causes.ofUnmatched(pair) ?? this.#apart.get(book)?.cause ?? 'unexplained'
      this.#move(book, money, cause)
      return [{ part: cause, amount: whole }]
    }
    if (isForcedClose(live.request.purpose)) return this.#forcedParts(live, backtest, money)
    const fees = money.live.usualFees - money.live.fees - (money.backtest.usualFees - money.backtest.fees)
    const prices = this.#pricesOf(live, backtest, money)
    const rest = prices.reduce((left, { amount }) => left - amount, whole - fees)
    const cause = this.#quantityCause(live, backtest, money)
    this.#move(book, money, fees === 0n ? cause : 'fees')
    return [...prices, { part: 'fees', amount: fees }, ...restParts(rest, cause, money)]
  }

  /**
   * A liquidation takes all that is behind a position: what its price leaves is in its fee, and one run's price is not held
   * against that of the other.
   */
  #forcedParts(
    live: RecordedOrder,
    backtest: RecordedOrder,
    money: ComparedOrder['money'],
  ): readonly CausedMoney[] {
    const common = smallerSize(money.live.base, money.backtest.base)
    const taken = common === 0n ? 0n : scaled(money.live, common) - scaled(money.backtest, common)
    const rest = money.live.result - money.backtest.result - taken
    const cause = this.#quantityCause(live, backtest, money)
    this.#move(live.book, money, cause)
    return [
      { part: 'outside', amount: taken },
      { part: cause, amount: rest },
    ]
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
        shownAt: evidence.live.shownAt(stream, live.request.decidedAt),
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

  /** Cause of another filled quantity; where there is none, what is left is the fee of another price. */
  #quantityCause(
    live: RecordedOrder,
    backtest: RecordedOrder,
    money: ComparedOrder['money'],
  ): DifferencePart {
    if (money.live.base === money.backtest.base) return 'spread'
    if (live.request.quantity === backtest.request.quantity || isWhole(live) !== isWhole(backtest))
      return this.#causes.ofFilled(live, backtest) ?? 'unexplained'
    const apart = this.#apart.get(live.book)
    if (apart !== undefined && apart.base !== 0n && !isOpening(live)) return apart.cause
    if (this.#causes.isChanged(live)) return 'changedStrategy'
    if (this.#isSizeExplained(live, backtest, apart?.base ?? 0n)) return 'sizes'
    // Every size is found anew: an explained one before it is no reason for this one.
    return apart === undefined || apart.cause === 'sizes' ? 'unexplained' : apart.cause
  }

  /**
   * A size follows from the worth of the account, from prices, and, of a target, from the base that the book holds more or
   * less; two steps are rounding.
   */
  #isSizeExplained(live: RecordedOrder, backtest: RecordedOrder, held: bigint): boolean {
    const [wanted, other] = [live.request, backtest.request]
    const worth = Math.abs(Number(this.#total)) / Number(this.#input.startEquity * EXACT_UNIT)
    const price = Math.abs(wanted.referencePrice / other.referencePrice - 1)
    const share = WORTH_LEVERAGE * worth + PRICE_LEVERAGE * price
    const step = baseAmount(this.#input.instrumentOf(wanted.symbol), steps(1))
    const most = 2 + other.quantity * share + Math.abs(Number(held)) / Number(step)
    return Math.abs(wanted.quantity - other.quantity) <= most
  }

  /** Notes by how much a book has come apart, and ends that once both runs hold the same. */
  #move(book: string, { live, backtest }: ComparedOrder['money'], cause: DifferencePart): void {
    const before = this.#apart.get(book)
    const base = (before?.base ?? 0n) + live.base - backtest.base
    if (live.base === backtest.base && base === 0n && live.base !== 0n) this.#apart.delete(book)
    else if (live.base !== backtest.base) this.#apart.set(book, { cause, base })
  }
}

/** Rounding of price parts, in units of 10^-36. */
const MOST_ROUNDING = 1000n

/** The rest that prices and fee rates leave: of equal quantities only the fee of another price, which is checked. */
function restParts(
  rest: Exact,
  cause: DifferencePart,
  { live, backtest }: ComparedOrder['money'],
): readonly CausedMoney[] {
  if (live.base !== backtest.base) return [{ part: cause, amount: rest }]
  const ofFees = backtest.usualFees - live.usualFees
  const odd = rest - ofFees
  const isRounding = odd < MOST_ROUNDING && odd > -MOST_ROUNDING
  return [
    { part: 'spread', amount: isRounding ? rest : ofFees },
    { part: 'unexplained', amount: isRounding ? 0n : odd },
  ]
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

function causeOf(parts: readonly CausedMoney[]): DifferencePart | undefined {
  if (parts.some(({ part }) => part === 'unexplained')) return 'unexplained'
  const size = ({ amount }: CausedMoney) => (amount < 0n ? -amount : amount)
  return parts.toSorted((left, right) => (size(right) > size(left) ? 1 : -1))[0]?.part
}
