import type { Amount } from '../../domain/numbers/amount.ts'
import { divide } from '../../domain/numbers/amount.ts'
import { priceAmount, type Steps, steps, stepsWithin, type Ticks, ticks } from '../../domain/numbers/grid.ts'
import { oppositeOf, type Side } from '../../domain/orders/side.ts'
import type { BookSnapshot } from '../../matching/observation.ts'
import type { ObservedFill } from '../../matching/working-order.ts'
import type { Account } from '../account.ts'
import type { Quotes } from '../prices/quotes.ts'
import type { SpotMarket } from './spot-market.ts'
import { isOpen, newSpotOrder, type SimulatedSpotOrder, type SpotOrderType } from './spot-order.ts'

/** Quoting rules of the exchange's own market maker. */
export interface QuotePlan {
  /** Ticks between the reference price and the best quote on each side, at least 1. */
  readonly spreadTicks: number
  /** Notional of each level in quote, the best first. */
  readonly levelNotionals: readonly Amount[]
}

/** Ids of one step: the quotes of both sides (at most 100 levels each), then the taking orders. */
const IDS_PER_STEP = 256n

/**
 * Simulates all other traders on one market: quotes around the reference price, and fills orders that price
 * crosses.
 */
export class BackgroundLiquidity {
  readonly #market: SpotMarket
  readonly #account: Account
  readonly #plan: QuotePlan
  readonly #firstId: bigint
  #quotes: SimulatedSpotOrder[] = []

  /** `firstId` begins a range of order ids that no one else uses. */
  constructor(market: SpotMarket, account: Account, plan: QuotePlan, firstId: bigint) {
    this.#market = market
    this.#account = account
    this.#plan = plan
    this.#firstId = firstId
  }

  /** The quotes that were placed last. */
  dump(): readonly SimulatedSpotOrder[] {
    return this.#quotes
  }

  /** Restores dumped quotes; the book must hold the same orders. */
  restore(quotes: readonly SimulatedSpotOrder[]): void {
    this.#quotes = [...quotes]
  }

  /** Cancels the quotes. */
  withdraw(): void {
    for (const order of this.#quotes) if (isOpen(order)) this.#market.cancel(order)
    this.#quotes = []
  }

  /** Fills every order that crosses recorded quotes: their makers would have traded with it. */
  tradeAgainst({ bid, ask, time }: Quotes, step: number): void {
    this.#takeBeyond('buy', ask, step, time)
    this.#takeBeyond('sell', bid, step, time)
  }

  /** Takes every order that `reference` has traded through; one exactly at it is only touched and stays. */
  tradeThrough(reference: Ticks, step: number, time: number): void {
    this.#takeBeyond('buy', ticks(reference + 1), step, time)
    this.#takeBeyond('sell', ticks(reference - 1), step, time)
  }

  /** Places new quotes around `reference`; no order may rest beyond it. */
  quote(reference: Ticks, step: number, time: number): void {
    this.#plan.levelNotionals.forEach((notional, level) => {
      const distance = this.#plan.spreadTicks + level
      this.#quoteAt('buy', reference - distance, notional, { step, index: 2 * level, time })
      this.#quoteAt('sell', reference + distance, notional, { step, index: 2 * level + 1, time })
    })
  }

  /** Places recorded quotes as the best ones, and the levels of the plan but its first behind them. */
  quoteRecorded(quotes: Quotes, step: number): void {
    const { time, bid, ask } = quotes
    this.#placeQuote('buy', bid, quotes.bidQuantity, { step, index: 0, time })
    this.#placeQuote('sell', ask, quotes.askQuantity, { step, index: 1, time })
    this.#plan.levelNotionals.forEach((notional, level) => {
      if (level === 0) return
      this.#quoteAt('buy', bid - level, notional, { step, index: 2 * level, time })
      this.#quoteAt('sell', ask + level, notional, { step, index: 2 * level + 1, time })
    })
  }

  /** Places the levels that a snapshot shows, for readers of the book: orders do not meet them. */
  quoteShown({ bids, asks, time }: BookSnapshot, step: number): void {
    bids.forEach(({ price, quantity }, level) => {
      this.#placeQuote('buy', price, quantity, { step, index: 2 * level, time })
    })
    asks.forEach(({ price, quantity }, level) => {
      this.#placeQuote('sell', price, quantity, { step, index: 2 * level + 1, time })
    })
  }

  /** The order of the exchange that stands for those who traded with a user's. */
  counterparty({ order, price, quantity, time }: ObservedFill<SimulatedSpotOrder>, step: number) {
    return this.#order(oppositeOf(order.side), 'IOC', price, quantity, { step, index: 253, time })
  }

  #takeBeyond(resting: Side, limit: Ticks, step: number, time: number): void {
    const quantity = this.#market.book.quantityWithin(resting, limit)
    if (quantity === 0) return
    const index = resting === 'buy' ? 254 : 255
    this.#market.place(this.#order(oppositeOf(resting), 'IOC', limit, quantity, { step, index, time }))
  }

  #quoteAt(side: Side, price: number, notional: Amount, position: Position): void {
    if (price <= 0) return
    const { instrument } = this.#market
    const quantity = stepsWithin(instrument, divide(notional, priceAmount(instrument, ticks(price))))
    this.#placeQuote(side, ticks(price), quantity, position)
  }

  #placeQuote(side: Side, price: Ticks, quantity: Steps, position: Position): void {
    if (quantity === 0) return
    const order = this.#order(side, 'LIMIT', price, quantity, position)
    this.#market.place(order)
    this.#quotes.push(order)
  }

  /** The id follows from the step alone, so that reads of the market do not change it. */
  #order(
    side: Side,
    type: SpotOrderType,
    price: Ticks,
    quantity: Steps,
    position: Position,
  ): SimulatedSpotOrder {
    const { instrument } = this.#market
    const size = { unit: 'base', quantity: steps(quantity) } as const
    const id = this.#firstId + BigInt(position.step) * IDS_PER_STEP + BigInt(position.index)
    const draft = { instrument, side, type, size, price, clientOrderId: undefined }
    return newSpotOrder(draft, { id, account: this.#account, time: position.time })
  }
}

interface Position {
  readonly step: number
  readonly index: number
  readonly time: number
}
