import type { Kline } from '../../src/domain/market-data/kline.ts'
import type { TopOfBook } from '../../src/domain/market-data/top-of-book.ts'
import type { FillSettings } from '../models/fill-settings.ts'
import { type Execution, executionAtOpen } from './execution-price.ts'
import type { ModelOrder } from './model-order.ts'

/**
 * What is known of the book at a moment, and what orders trade at by it. What takes, takes the opposite best price; where
 * none is known, the next trade's. A limit order that comes takes if the opposite best (or else the trade before) is beyond
 * its price; one that rests trades when a trade goes through it, or the opposite best does (`isMove`). Stops and orders that
 * trade if touched wait for trades.
 */
export class KnownTop {
  /** `undefined` where only trades are known. */
  latest: TopOfBook | undefined
  /** Price of the trade before this moment, quote per base; NaN before the first. */
  lastTrade = Number.NaN
  /** Whether it is the book that has moved, and nobody has traded. */
  isMove = false
  readonly #settings: FillSettings

  constructor(settings: FillSettings) {
    this.#settings = settings
  }

  /** The best price that an order could take, as far as it can be told; NaN where it cannot. */
  offeredTo({ isBuy }: ModelOrder): number {
    if (this.latest === undefined) return this.lastTrade
    return isBuy ? this.latest.ask : this.latest.bid
  }

  /** Where an order trades at this moment, if it does; the kline is the trade, or the last one where the book has moved. */
  executionAtOpen(order: ModelOrder, kline: Kline): Execution | undefined {
    const meetsBook = order.request.spec.type === 'limit' && (order.isNew || this.isMove)
    const seen = meetsBook ? openingAt(kline, this.offeredTo(order)) : kline
    return this.taken(executionAtOpen(order, seen, this.#settings), order, kline)
  }

  /** An execution at what is to be taken now, if it takes; never beyond the order's own limit. */
  taken(execution: Execution | undefined, order: ModelOrder, kline: Kline): Execution | undefined {
    if (execution?.liquidity !== 'taker') return execution
    const offered = this.latest === undefined ? kline.open : this.offeredTo(order)
    const { limitPrice = offered } = order
    const price = order.isBuy ? Math.min(offered, limitPrice) : Math.max(offered, limitPrice)
    return { ...execution, price }
  }
}

/** Field by field: a row of columns has none to spread. */
function openingAt({ openTime, high, low, close, volume }: Kline, open: number): Kline {
  return { openTime, open, high, low, close, volume }
}
