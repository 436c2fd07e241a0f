import { type Grid, priceText, quantityText, type Steps, type Ticks } from '../../domain/numbers/grid.ts'
import { ObservedMatching, type ObservedMatchingState } from '../../matching/observed-matching.ts'
import type { SessionRow } from '../../matching/session-row.ts'
import { minuteOf, snapshotOf, tradeOf } from '../../matching/told-market.ts'
import type { MatchingTerms, ObservedFill } from '../../matching/working-order.ts'
import type { LiveRules } from './live-rules.ts'
import type { MarketObservation } from './market-observation.ts'

/** An order in the words of a session's record. */
export type DescribedOrder = Pick<
  Extract<SessionRow, { type: 'order' }>,
  'order' | 'clientOrderId' | 'quantity' | 'amount'
>

/** An exchange's side of orders on an observed market. */
export interface LiveOrderBooking<Order> {
  readonly termsOf: (order: Order) => MatchingTerms
  readonly described: (order: Order) => DescribedOrder
  /** Quantity that it can still trade at a price; 0 once it is over. */
  readonly openAt: (order: Order, price: Ticks) => Steps
  /** Books a fill with the exchange's own account as counterparty. */
  readonly book: (fill: ObservedFill<Order>) => void
  /** Ends an order: complete, or its rest canceled. */
  readonly end: (order: Order) => void
}

/** The orders of users on a market that is only observed, between the exchange's accounts and the matching. */
export class LiveOrders<Order> {
  readonly #symbol: string
  readonly #grid: Grid
  readonly #rules: LiveRules
  readonly #booking: LiveOrderBooking<Order>
  readonly #matching: ObservedMatching<Order>
  /** The latest time it was told, ms UTC. */
  #now = 0

  constructor(symbol: string, grid: Grid, rules: LiveRules, booking: LiveOrderBooking<Order>) {
    this.#symbol = symbol
    this.#grid = grid
    this.#rules = rules
    this.#booking = booking
    this.#matching = new ObservedMatching(
      {
        openAt: booking.openAt,
        filled: (fill, evidence) => {
          this.#noteFill(fill, evidence)
          booking.book(fill)
        },
        ended: booking.end,
      },
      rules.queue,
    )
  }

  /** True if an observation may change an order. */
  get isEngaged(): boolean {
    return this.#matching.isEngaged
  }

  dump(): ObservedMatchingState<Order> {
    return this.#matching.dump()
  }

  restore(state: ObservedMatchingState<Order>): void {
    this.#matching.restore(state)
  }

  /** The orders that are on their way or rest. */
  get open(): readonly Order[] {
    return this.#matching.orders
  }

  /** Sends an order to the market at `now`, ms UTC; it takes a sampled latency to arrive, or is there at `arrivesAt`. */
  enter(order: Order, now: number, arrivesAt = this.#rules.arrivalAt(now)): void {
    this.#now = Math.max(this.#now, now)
    this.#noteOrder(order, now, arrivesAt)
    this.#matching.enter(order, this.#booking.termsOf(order), arrivesAt)
  }

  /** Lets an order of the exchange itself walk the latest book at once. */
  enterNow(order: Order, now: number): void {
    this.#now = Math.max(this.#now, now)
    this.#noteOrder(order, now, undefined)
    this.#matching.enterNow(order, this.#booking.termsOf(order), now)
  }

  /** Sends a cancel to the market at `now`, ms UTC; the order ends when it is known there. */
  requestCancel(order: Order, now: number): void {
    const arrivesAt = this.#rules.arrivalAt(now)
    this.#noteCancel(order, now, arrivesAt)
    this.#matching.cancel(order, arrivesAt)
  }

  /** Takes an order out at once. */
  remove(order: Order): void {
    if (!this.#matching.orders.includes(order)) return
    this.#noteCancel(order, this.#now, undefined)
    this.#matching.remove(order)
  }

  /** Time has passed. */
  pass(now: number): void {
    this.#now = Math.max(this.#now, now)
    this.#matching.pass(now)
  }

  /** Takes an observation of its market, known at `now` (ms UTC). */
  observe(observation: MarketObservation, now: number): void {
    const grid = this.#grid
    this.#now = Math.max(this.#now, now)
    switch (observation.kind) {
      case 'book':
        this.#matching.observeBook(snapshotOf(grid, observation.book), now)
        break
      case 'trades':
        for (const trade of observation.trades) this.#matching.observeTrade(tradeOf(grid, trade), now)
        break
      case 'gap':
        this.#matching.observeGap(
          { ...observation, minutes: observation.minutes.map(minute => minuteOf(grid, minute)) },
          now,
        )
    }
  }

  #noteOrder(order: Order, at: number, arrivesAt: number | undefined): void {
    const { side, kind, limit } = this.#booking.termsOf(order)
    this.#rules.note({
      ...{ type: 'order', at, symbol: this.#symbol, ...this.#booking.described(order), side, kind },
      limit: limit && priceText(this.#grid, limit),
      arrivesAt,
    })
  }

  #noteCancel(order: Order, at: number, arrivesAt: number | undefined): void {
    this.#rules.note({
      ...{ type: 'cancel', at, symbol: this.#symbol, order: this.#booking.described(order).order, arrivesAt },
    })
  }

  #noteFill(
    { order, price, quantity, time, liquidity }: ObservedFill<Order>,
    evidence: Extract<SessionRow, { type: 'fill' }>['evidence'],
  ): void {
    this.#rules.note({
      ...{ type: 'fill', at: time, symbol: this.#symbol, order: this.#booking.described(order).order },
      ...{ side: this.#booking.termsOf(order).side, liquidity, evidence },
      price: priceText(this.#grid, price),
      quantity: quantityText(this.#grid, quantity),
    })
  }
}
