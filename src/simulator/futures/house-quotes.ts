import type { Amount } from '../../domain/numbers/amount.ts'
import { NO_STEPS, type Steps, steps, type Ticks, ticks } from '../../domain/numbers/grid.ts'
import { oppositeOf, type Side } from '../../domain/orders/side.ts'
import type { BookSnapshot } from '../../matching/observation.ts'
import type { ObservedFill } from '../../matching/working-order.ts'
import type { Quotes } from '../prices/quotes.ts'
import type { QuotePlan } from '../spot/background-liquidity.ts'
import { type Contract, contractsWorth } from './contract.ts'
import type { FuturesMarket } from './futures-market.ts'
import { isLive, newFuturesOrder } from './orders/futures-order.ts'
import type { FuturesOrderType } from './orders/futures-order-draft.ts'
import type { FuturesAccount, SimulatedFuturesOrder } from './positions/futures-account.ts'

/** Ids of one step: the quotes of both sides (at most 100 levels each), then the taking orders. */
const IDS_PER_STEP = 256n

/**
 * Simulates all other traders on one contract: quotes around the mark price, and fills orders that price
 * crosses.
 */
export class HouseQuotes {
  readonly #contract: Contract
  readonly #market: FuturesMarket
  readonly #house: FuturesAccount
  readonly #plan: QuotePlan
  readonly #firstId: bigint
  #quotes: SimulatedFuturesOrder[] = []

  /** `firstId` begins a range of order ids that no one else uses. */
  constructor(
    contract: Contract,
    market: FuturesMarket,
    house: FuturesAccount,
    plan: QuotePlan,
    firstId: bigint,
  ) {
    this.#contract = contract
    this.#market = market
    this.#house = house
    this.#plan = plan
    this.#firstId = firstId
  }

  /** The quotes that were placed last. */
  dump(): readonly SimulatedFuturesOrder[] {
    return this.#quotes
  }

  /** Restores dumped quotes; the book must hold the same orders. */
  restore(quotes: readonly SimulatedFuturesOrder[]): void {
    this.#quotes = [...quotes]
  }

  /** Cancels the quotes. */
  withdraw(): void {
    for (const order of this.#quotes) if (isLive(order)) this.#market.cancel(order)
    this.#quotes = []
  }

  /** Takes every order that `mark` has traded through; one exactly at it is only touched and stays. */
  tradeThrough(mark: Ticks, step: number, time: number): void {
    this.#takeBeyond('buy', ticks(mark + 1), step, time)
    this.#takeBeyond('sell', ticks(mark - 1), step, time)
  }

  /** Fills every order that crosses recorded quotes: their makers would have traded with it. */
  tradeAgainst({ bid, ask, time }: Quotes, step: number): void {
    this.#takeBeyond('buy', ask, step, time)
    this.#takeBeyond('sell', bid, step, time)
  }

  /** Places new quotes around `mark`; no order may rest beyond it. */
  quote(mark: Ticks, step: number, time: number): void {
    this.#plan.levelNotionals.forEach((notional, level) => {
      const distance = this.#plan.spreadTicks + level
      this.#quoteWorth('buy', mark - distance, notional, { step, index: 2 * level, time })
      this.#quoteWorth('sell', mark + distance, notional, { step, index: 2 * level + 1, time })
    })
  }

  /** Places recorded quotes (in contracts) as the best ones, and the levels of the plan but its first behind them. */
  quoteRecorded({ time, bid, bidQuantity, ask, askQuantity }: Quotes, step: number): void {
    this.#quoteVolume('buy', bid, bidQuantity, { step, index: 0, time })
    this.#quoteVolume('sell', ask, askQuantity, { step, index: 1, time })
    this.#plan.levelNotionals.forEach((notional, level) => {
      if (level === 0) return
      this.#quoteWorth('buy', bid - level, notional, { step, index: 2 * level, time })
      this.#quoteWorth('sell', ask + level, notional, { step, index: 2 * level + 1, time })
    })
  }

  /** Places the levels that a snapshot shows, for readers of the book: orders do not meet them. */
  quoteShown({ bids, asks, time }: BookSnapshot, step: number): void {
    bids.forEach(({ price, quantity }, level) => {
      this.#quoteVolume('buy', price, quantity, { step, index: 2 * level, time })
    })
    asks.forEach(({ price, quantity }, level) => {
      this.#quoteVolume('sell', price, quantity, { step, index: 2 * level + 1, time })
    })
  }

  /** The order of the exchange that stands for those who traded with a user's. */
  counterparty({ order, price, quantity, time }: ObservedFill<SimulatedFuturesOrder>, step: number) {
    return this.#order(oppositeOf(order.side), 'IOC', price, quantity, { step, index: 253, time })
  }

  #quoteWorth(side: Side, price: number, notional: Amount, position: Position): void {
    if (price <= 0) return
    const one = contractsWorth(this.#contract, ticks(price), steps(1))
    this.#quoteVolume(side, ticks(price), steps(Number(notional / one)), position)
  }

  #quoteVolume(side: Side, price: Ticks, volume: Steps, position: Position): void {
    if (volume === NO_STEPS) return
    const order = this.#order(side, 'LIMIT', price, volume, position)
    this.#market.place(order)
    this.#quotes.push(order)
  }

  #takeBeyond(resting: Side, limit: Ticks, step: number, time: number): void {
    const volume = this.#market.book.quantityWithin(resting, limit)
    if (volume === NO_STEPS) return
    const position = { step, index: resting === 'buy' ? 254 : 255, time }
    this.#market.place(this.#order(oppositeOf(resting), 'IOC', limit, volume, position))
  }

  /** The id follows from the step alone, so that reads of the market do not change it. */
  #order(
    side: Side,
    type: FuturesOrderType,
    price: Ticks,
    volume: Steps,
    position: Position,
  ): SimulatedFuturesOrder {
    return newFuturesOrder({
      ...{ contract: this.#contract, account: this.#house, side, type, volume, price, limit: price },
      ...{ action: 'OPEN', marginMode: 'cross', leverage: 1, clientOrderId: undefined, trigger: undefined },
      id: this.#firstId + BigInt(position.step) * IDS_PER_STEP + BigInt(position.index),
      time: position.time,
    })
  }
}

interface Position {
  readonly step: number
  readonly index: number
  readonly time: number
}
