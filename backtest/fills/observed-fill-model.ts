import type { Instrument } from '../../src/domain/instrument.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { NO_STEPS, priceOf, roundToTicks, type Steps, steps } from '../../src/domain/numbers/grid.ts'
import type { OrderRequest } from '../../src/domain/orders/order-request.ts'
import { oppositeOf, type Side } from '../../src/domain/orders/side.ts'
import type { FillEvidence } from '../../src/matching/fill-evidence.ts'
import {
  type BookSnapshot,
  levelsOf,
  type ObservedGap,
  type ObservedTrade,
} from '../../src/matching/observation.ts'
import { ObservedMatching } from '../../src/matching/observed-matching.ts'
import type { QueueAssumption } from '../../src/matching/queue-assumption.ts'
import type { SharedLiquidity } from '../../src/matching/shared-liquidity.ts'
import { TriggerBook } from '../../src/matching/trigger-book.ts'
import type { ObservedFill } from '../../src/matching/working-order.ts'
import { termsOf } from '../models/matching-terms.ts'
import type { OrderArrivals } from '../models/order-arrivals.ts'
import type { FillModel } from './fill-model.ts'
import type { OnModelEnd, OnModelFill } from './model-fill.ts'
import { recordedEnding } from './order-ending.ts'

/** Rules of the orders on recorded ticks. */
export interface TickRules {
  /** Assumed place of resting orders at their price. */
  readonly queue: QueueAssumption
  /** Of all orders on the market, whatever strategies they are of; default: those of one strategy alone. */
  readonly shared?: SharedLiquidity | undefined
  readonly arrivals: OrderArrivals
  /** False where public trades are all that was recorded. */
  readonly hasBooks: boolean
  /** True where mark prices of a contract were recorded. */
  readonly hasMarks: boolean
}

export interface ObservedFillModelOptions {
  readonly instrument: Instrument
  readonly rules: TickRules
  readonly onFill: OnModelFill
  /** Takes orders that end without having filled completely. */
  readonly onEnd: OnModelEnd
  /** Takes the price that the best one of a trailing stop has moved to. */
  readonly onTrail: (request: Pick<OrderRequest, 'clientOrderId'>, best: number) => void
  /** True while an exit at market is not over that an entry must wait for. */
  readonly isHeldByExit: (request: OrderRequest) => boolean
}

/** An order at the market. */
interface SentOrder {
  readonly request: OrderRequest
  left: Steps
  filled: Steps
  isComplete: boolean
  /** Called at its end, once its cancel is on its way. */
  onCanceled: (() => void) | undefined
}

const NOTHING_AMBIGUOUS: ReadonlySet<string> = new Set()

/**
 * Fills orders from recorded ticks by the rules of paper trading (`ObservedMatching`). Orders that wait for a
 * price wait in the process of the bot, as live, and are sent when their price is seen (`TriggerBook`).
 */
export class ObservedFillModel implements FillModel {
  readonly ambiguousEntries = NOTHING_AMBIGUOUS
  readonly #options: ObservedFillModelOptions
  readonly #matching: ObservedMatching<SentOrder>
  readonly #triggers = new TriggerBook()
  readonly #sent = new Map<string, SentOrder>()
  /** Orders that may open a position, and wait for the market exits of their side, as in a bot. */
  #held: readonly OrderRequest[] = []
  #book: BookSnapshot | undefined
  /** Price of the latest trade, quote per base. */
  #last = Number.NaN

  constructor(options: ObservedFillModelOptions) {
    this.#options = options
    this.#matching = new ObservedMatching<SentOrder>(
      {
        openAt: ({ left }) => left,
        filled: (fill, evidence) => this.#fill(fill, evidence),
        ended: order => this.#end(order),
      },
      options.rules.queue,
      options.rules.shared,
    )
  }

  get isEmpty(): boolean {
    return this.#triggers.isEmpty && this.#held.length === 0 && !this.#matching.isEngaged
  }

  place(request: OrderRequest, time: number): void {
    if (!TriggerBook.holds(request)) {
      this.#send(request, Math.max(request.decidedAt, time))
      return
    }
    this.#triggers.add(this.#options.instrument, request)
  }

  requestCancel(clientOrderId: string, time: number, onOut: () => void): void {
    const order = this.#sent.get(clientOrderId)
    if (order === undefined) {
      this.#takeBack(clientOrderId)
      onOut()
    } else if (order.onCanceled === undefined) {
      order.onCanceled = onOut
      this.#matching.cancel(order, this.#options.rules.arrivals.ofCancel(order.request, time))
    }
  }

  remove(clientOrderId: string): void {
    this.#takeBack(clientOrderId)
    const order = this.#sent.get(clientOrderId)
    if (order === undefined) return
    this.#sent.delete(clientOrderId)
    this.#matching.remove(order)
  }

  resize(clientOrderId: string, quantity: Steps): void {
    const order = this.#sent.get(clientOrderId)
    if (order === undefined) this.#triggers.resize(clientOrderId, quantity)
    else order.left = steps(Math.max(0, quantity - order.filled))
  }

  /** Takes the order book that is known at a time at which no order could meet it. */
  know(book: BookSnapshot | undefined, last: number): void {
    this.#book = book
    this.#last = last
  }

  /** Takes an order book, known at `at` (ms UTC). */
  observeBook(book: BookSnapshot | undefined, at: number): void {
    if (book === undefined) return
    this.#book = book
    this.#matching.pass(at)
    this.#matching.observeBook(book, at)
    this.#trigger(at)
  }

  /** Takes a public trade, known at `at` (ms UTC). */
  observeTrade(trade: ObservedTrade, at: number): void {
    this.#last = priceOf(this.#options.instrument, trade.price)
    this.#matching.pass(at)
    if (this.#options.rules.hasBooks) this.#matching.observeTrade(trade, at)
    else this.#matching.observeLoneTrade(trade, at)
    this.#trigger(at)
  }

  /** Takes a gap, known at `at` (ms UTC). */
  observeGap(gap: ObservedGap, at: number): void {
    this.#matching.pass(at)
    this.#matching.observeGap(gap, at)
  }

  /** Orders at market trade whole, at the opposite best or at the price. */
  force({ open, openTime }: Kline): void {
    for (const order of [...this.#sent.values()]) {
      const { request, left } = order
      if (!this.#sent.has(request.clientOrderId)) continue
      if (order.onCanceled === undefined && request.spec.type !== 'market') continue
      this.remove(request.clientOrderId)
      if (order.onCanceled === undefined) this.#close(request, left, open, openTime)
      else order.onCanceled()
    }
  }

  isAmbiguousLiquidation(): boolean {
    return false
  }

  #close(request: OrderRequest, quantity: Steps, latest: number, at: number): void {
    const { instrument, onFill } = this.#options
    const best = this.#book && levelsOf(this.#book, oppositeOf(request.side))[0]?.price
    const price = best ?? roundToTicks(instrument, latest, 'nearest')
    onFill({
      ...{ request, price, priceBeforeSlippage: price, quantity, liquidity: 'taker', rule: 'positionClosed' },
      ...{ klineOpenTime: at, isAmbiguous: false },
    })
  }

  /** Takes an order back that has not been sent. */
  #takeBack(clientOrderId: string): void {
    this.#triggers.remove(clientOrderId)
    this.#held = this.#held.filter(held => held.clientOrderId !== clientOrderId)
  }

  #send(request: OrderRequest, sentAt: number): void {
    if (!request.reduceOnly && this.#options.isHeldByExit(request)) this.#held = [...this.#held, request]
    else this.#sendNow(request, sentAt)
  }

  /** Sends the orders that wait for no exit any more, known at `at` (ms UTC). */
  #release(at: number): void {
    if (this.#held.length === 0) return
    const held = this.#held
    this.#held = []
    for (const request of held) this.#send(request, at)
  }

  #sendNow(request: OrderRequest, sentAt: number): void {
    const { clientOrderId, quantity } = request
    const order = { request, left: quantity, filled: NO_STEPS, isComplete: false, onCanceled: undefined }
    this.#sent.set(clientOrderId, order)
    const { arrivals } = this.#options.rules
    const terms = termsOf(request)
    const limit = terms.limit ?? arrivals.capOf?.(request, sentAt)
    this.#matching.enter(order, { ...terms, limit }, arrivals.ofOrder(request, sentAt))
  }

  /** An order is at the market no longer. */
  #end({ request, isComplete, onCanceled }: SentOrder): void {
    this.#sent.delete(request.clientOrderId)
    if (isComplete) return
    if (onCanceled === undefined) this.#options.onEnd(request, recordedEnding(request))
    else onCanceled()
  }

  /** Sends the orders whose price is there, and tells how far trailing stops have followed. */
  #trigger(at: number): void {
    this.#release(at)
    if (this.#triggers.isEmpty) return
    const { instrument, onTrail } = this.#options
    for (const request of this.#triggers.observe(instrument.symbol, this.#quote())) this.#send(request, at)
    for (const { clientOrderId, best } of this.#triggers.drainMoves())
      onTrail({ clientOrderId }, priceOf(instrument, best))
  }

  /** Without order books the latest trade is all that is known of either side; without trades it is the middle of the order book. */
  #quote() {
    const last = this.#last
    if (!this.#options.rules.hasBooks) return { bid: last, ask: last, last }
    const [bid, ask] = [this.#bestOf('buy'), this.#bestOf('sell')]
    return { bid, ask, last: Number.isNaN(last) ? (bid + ask) / 2 : last }
  }

  #bestOf(side: Side): number {
    const best = this.#book && levelsOf(this.#book, side)[0]
    return best === undefined ? Number.NaN : priceOf(this.#options.instrument, best.price)
  }

  #fill({ order, price, quantity, time, liquidity }: ObservedFill<SentOrder>, evidence: FillEvidence): void {
    order.left = steps(order.left - quantity)
    order.filled = steps(order.filled + quantity)
    order.isComplete = order.left === NO_STEPS
    this.#options.onFill({
      ...{
        request: order.request,
        price,
        priceBeforeSlippage: price,
        quantity,
        liquidity,
        rule: evidence.rule,
      },
      ...{ klineOpenTime: time, isAmbiguous: false, evidence },
    })
  }
}
