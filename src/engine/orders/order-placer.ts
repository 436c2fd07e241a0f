import type { EngineOutput } from '../../domain/events/engine-output.ts'
import type { Explain } from '../../domain/events/explanation.ts'
import type { Liquidation } from '../../domain/events/liquidation.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, add, amountToText, larger, ZERO } from '../../domain/numbers/amount.ts'
import { baseAmount, roundToTicks, type Steps, type Ticks, ticks } from '../../domain/numbers/grid.ts'
import {
  clientOrderIdOf,
  clientOrderIdPrefix,
  type SessionIdentity,
} from '../../domain/orders/client-order-id.ts'
import type { PassedCheck } from '../../domain/orders/denial.ts'
import { AT_MARKET, type OrderIntent } from '../../domain/orders/order-intent.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'
import { exitSideOf, type Side } from '../../domain/orders/side.ts'
import { InvariantError } from '../../domain/sluice-error.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { type Assessment, assess } from '../../risk/assess.ts'
import { payableClose } from '../../risk/largest-fit.ts'
import { buyBackCost } from '../../risk/own-funds.ts'
import type { Refusal, RiskCheck } from '../../risk/risk-check.ts'
import type { RiskView } from '../../risk/risk-view.ts'
import type { PositionBooks } from '../position-books.ts'
import type { StrategyRisk } from '../risk/strategy-risk.ts'
import { AccountView } from './account-view.ts'
import { noPrice } from './no-price.ts'
import type { OrderExpiry } from './order-expiry.ts'
import { type Decision, RecentDecisions } from './recent-decisions.ts'

/** An intent before the order placer gives it identity, time and reference price. */
export type UnplacedIntent = Omit<
  OrderIntent,
  'clientOrderId' | 'strategy' | 'symbol' | 'decidedAt' | 'referencePrice'
>

/** An order placer as plain data. */
export interface OrderPlacerState {
  readonly latest: Decision
  /** Other decisions that may be gone on with, oldest first; absent without any, and in snapshots of older versions. */
  readonly recent?: readonly Decision[]
  readonly price: number
}

/** Parts of an order placer. */
export interface OrderPlacerOptions {
  readonly bot: string
  readonly strategy: string
  readonly instrument: Instrument
  /** Book of the position that its orders change. */
  readonly book: string
  readonly ledger: Ledger
  readonly books: PositionBooks
  /** Receives orders with a time to live. */
  readonly lifetimes: OrderExpiry
  readonly risk: StrategyRisk
}

const NO_CHECKS: readonly RiskCheck[] = []

/** Checks one strategy's orders with risk, adds approved ones to the ledger, and emits them as commands. */
export class OrderPlacer {
  readonly #options: OrderPlacerOptions
  #prefix: string
  readonly #view: AccountView
  #latest: Decision = { time: Number.NaN, klines: 0, orders: 0 }
  #current = this.#latest
  readonly #decisions = new RecentDecisions()
  #price = Number.NaN
  /** `#price` on the grid; `undefined` until first read. */
  #reference: Ticks | undefined
  #explain: Explain | undefined

  constructor(options: OrderPlacerOptions) {
    this.#options = options
    this.#view = new AccountView(options.instrument, options.books, options.ledger, options.risk)
    this.#prefix = clientOrderIdPrefix(options)
  }

  /** Explains each order that it places or denies from now on; `undefined` ends that. */
  explainTo(explain: Explain | undefined): void {
    this.#explain = explain
  }

  /** Names orders from now on as those of a session. */
  nameSession(session: SessionIdentity): void {
    this.#prefix = clientOrderIdPrefix(this.#options, session)
  }

  /**
   * Sets market time (ms UTC), latest price (quote per base) and number of closed klines for the next decision. At an earlier time, as
   * a kline that is shown late has it, the decision of that time goes on.
   */
  observe(time: number, price: number, klines: number): void {
    if (time !== this.#latest.time) this.#latest = this.#decisions.at(time, klines)
    this.#current = this.#latest
    if (price === this.#price) return
    this.#price = price
    this.#reference = undefined
  }

  /** Book of the position that its orders change. */
  get book(): string {
    return this.#options.book
  }

  /** Name of the strategy that it places orders for. */
  get strategy(): string {
    return this.#options.strategy
  }

  /** The current decision: its time and numbering apply to the next orders. */
  get decision(): Decision {
    return this.#current
  }

  /** Name of a group (OCO) of orders decided next, unique over all decisions and strategies. */
  groupName(name: string): string {
    const { time, orders } = this.#current
    return `${name} ${clientOrderIdOf(this.#prefix, time, orders)}`
  }

  /** Resumes a decision with delayed orders: they keep its time, and continue its numbering. */
  resume(decision: Decision): void {
    this.#current = decision
  }

  /** The decision of the market time set last; orders of later wishes at that time count on from it. */
  get latest(): Decision {
    return this.#latest
  }

  /** The decision that a stored one goes on with: that of its time, as far as it is known. */
  restored(decision: Decision): Decision {
    return this.#decisions.find(decision.time) ?? { ...decision }
  }

  /** Source of the next order ids. A decision ends with its event, so the current one is not stored. */
  snapshot(): OrderPlacerState {
    const recent = this.#decisions.snapshot(this.#latest)
    return { latest: { ...this.#latest }, ...(recent.length > 0 && { recent }), price: this.#price }
  }

  restore({ latest, recent = [], price }: OrderPlacerState): void {
    this.#latest = { ...latest }
    this.#decisions.restore(recent, this.#latest)
    this.#current = this.#latest
    this.#price = price
    this.#reference = undefined
  }

  /** True once the market has shown a price. */
  get hasPrice(): boolean {
    return Number.isFinite(this.#price)
  }

  /** Latest price on the grid; call it only with a price. */
  get referencePrice(): Ticks {
    this.#reference ??= roundToTicks(this.#options.instrument, this.#price, 'nearest')
    return this.#reference
  }

  /** The account as seen by risk now. */
  riskView(): RiskView {
    const { instrument, ledger } = this.#options
    ledger.mark(instrument, this.referencePrice)
    return this.#view
  }

  /** Everything owned and what of it is free, in quote, by the prices of the ledger. */
  get money(): { readonly equity: Amount; readonly free: Amount } {
    const { equity, freeQuote: free } = this.#view
    return { equity, free }
  }

  /** Steps of a close at market that the account can pay for, of those wanted; all before the first price. */
  payable(side: Side, quantity: Steps): Steps {
    if (!this.hasPrice) return quantity
    const { referencePrice } = this
    return payableClose(
      { side, spec: AT_MARKET, quantity, reduceOnly: true, referencePrice },
      this.riskView(),
    )
  }

  /** Reports the part of a close that the account cannot pay for. */
  denyUnpayable(wish: UnplacedIntent, out: EngineOutput[]): void {
    const { instrument } = this.#options
    const { freeQuote } = this.riskView()
    const limit = `${amountToText(larger(ZERO, add(freeQuote, buyBackCost(this.riskView()))))} ${instrument.quote}`
    const actual = `${amountToText(wish.quantity)} ${instrument.base}`
    const message = `The account has ${limit} to buy back with, which does not pay for ${actual} of the short: that part stays open. Bring ${instrument.quote} into the account, or buy it back by hand at the exchange.`
    this.deny(wish, { rule: 'balance', limit, actual, message }, out)
  }

  /** Checks an order with risk without placing it; `undefined`, without a report, if risk denies it. */
  approve(wish: UnplacedIntent): OrderRequest | undefined {
    const assessment = assess(this.#intentOf(wish), this.riskView(), this.#options.risk.checks)
    if (assessment.approved) return assessment.request
    this.#current.orders--
    return undefined
  }

  /**
   * Checks an order with risk, and places it if approved; returns the request, or `undefined` if it was
   * denied.
   */
  place(wish: UnplacedIntent, out: EngineOutput[]): OrderRequest | undefined {
    if (!this.hasPrice) {
      this.denyWithoutPrice(wish, out)
      return undefined
    }
    const { risk } = this.#options
    const assessment =
      this.#explain === undefined
        ? assess(this.#intentOf(wish), this.riskView(), risk.checks)
        : this.#explained(this.#intentOf(wish), this.#explain)
    if (!assessment.approved) {
      out.push({ type: 'denied', denial: assessment.denial, time: this.#current.time })
      return undefined
    }
    const { request } = assessment
    this.#options.ledger.orders.add(request)
    risk.noteOrder(this.#current.time)
    out.push({ type: 'placeOrder', request })
    const timeToLive = request.terms?.expiresAfter
    if (timeToLive !== undefined) {
      const { klines, time } = this.#current
      this.#options.lifetimes.add(request.clientOrderId, timeToLive, klines, time)
    }
    return request
  }

  /** Adds the order of a liquidation, or of a close outside the bot, to the ledger, without checks. */
  liquidate({ book, direction, quantity, by }: Liquidation): OrderRequest {
    const { instrument, ledger } = this.#options
    const wish: UnplacedIntent = {
      book,
      side: exitSideOf(direction),
      purpose: by === undefined ? 'liquidation' : 'outsideClose',
      plan: AT_MARKET,
      quantity: baseAmount(instrument, quantity),
      reduceOnly: true,
    }
    const assessment = assess(this.#intentOf(wish), this.riskView(), NO_CHECKS)
    if (!assessment.approved) throw new InvariantError(assessment.denial.message)
    ledger.orders.add(assessment.request)
    ledger.orders.update(assessment.request.clientOrderId, 'submitted')
    return assessment.request
  }

  /** True if risk would approve; a denial is reported. Places no order. */
  isApproved(wish: UnplacedIntent, out: EngineOutput[]): boolean {
    if (!this.hasPrice) {
      this.denyWithoutPrice(wish, out)
      return false
    }
    const assessment = assess(this.#intentOf(wish), this.riskView(), this.#options.risk.checks)
    if (!assessment.approved)
      out.push({ type: 'denied', denial: assessment.denial, time: this.#current.time })
    return assessment.approved
  }

  /** Reports an order that is denied before it can be checked by risk. */
  deny(wish: UnplacedIntent, refusal: Refusal, out: EngineOutput[]): void {
    out.push({
      type: 'denied',
      denial: { ...refusal, intent: this.#intentOf(wish) },
      time: this.#current.time,
    })
  }

  /** Reports base by which a position misses its target because a step is worth too much; no order is denied for it. */
  reportMissedTarget(book: string, missing: Amount, price: Ticks, out: EngineOutput[]): void {
    const { instrument, strategy } = this.#options
    const { time } = this.#current
    out.push({ type: 'targetMissed', symbol: instrument.symbol, book, strategy, missing, price, time })
  }

  /** Reports an order in a market without a price yet. */
  denyWithoutPrice(wish: UnplacedIntent, out: EngineOutput[]): void {
    this.deny(wish, noPrice(this.#options.instrument), out)
  }

  #explained(intent: OrderIntent, explain: Explain): Assessment {
    const view = this.riskView()
    const passed: PassedCheck[] = []
    const { equity, freeQuote: free } = view
    const assessment = assess(intent, view, this.#options.risk.checks, figures => passed.push(figures))
    const outcome = assessment.approved
      ? { quantity: assessment.request.quantity }
      : { denial: assessment.denial }
    explain({ type: 'orderAssessed', intent, equity, free, passed, ...outcome })
    return assessment
  }

  #intentOf(wish: UnplacedIntent): OrderIntent {
    const { time } = this.#current
    return {
      clientOrderId: clientOrderIdOf(this.#prefix, time, this.#current.orders++),
      strategy: this.#options.strategy,
      symbol: this.#options.instrument.symbol,
      book: wish.book ?? this.#options.book,
      side: wish.side,
      purpose: wish.purpose,
      plan: wish.plan,
      quantity: wish.quantity,
      reduceOnly: wish.reduceOnly,
      protection: wish.protection,
      protects: wish.protects,
      terms: wish.terms,
      tag: wish.tag,
      decidedAt: time,
      referencePrice: this.hasPrice ? this.referencePrice : ticks(0),
    }
  }
}
