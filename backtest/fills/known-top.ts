import type { Kline } from '../../src/domain/market-data/kline.ts'
import type { TopOfBook } from '../../src/domain/market-data/top-of-book.ts'
import type { FillSettings } from '../models/fill-settings.ts'
import { type ExecutionPrice, executionAtOpen } from './execution-price.ts'
import type { ModelOrder } from './model-order.ts'

/**
 * The known best prices of a moment, and the trade prices of orders by them. A taker trades at the opposite
 * best price, or at the next trade's if none is known. An arriving limit order takes if the opposite best (or
 * else the trade before) is beyond its price; a resting one trades when a trade goes through it, or the
 * opposite best does (`isMove`). Stops and if-touched orders wait for trades.
 */
export class KnownTop {
  /** `undefined` where only trades are known. */
  latest: TopOfBook | undefined
  /** Price of the trade before this moment, quote per base; NaN before the first. */
  lastTrade = Number.NaN
  /** True if the book has moved without a trade. */
  isMove = false
  readonly #settings: FillSettings

  constructor(settings: FillSettings) {
    this.#settings = settings
  }

  /** The best price that an order could take, quote per base; NaN if unknown. */
  offeredTo({ isBuy }: ModelOrder): number {
    if (this.latest === undefined) return this.lastTrade
    return isBuy ? this.latest.ask : this.latest.bid
  }

  /**
   * Execution of an order at this moment, if any; the kline is the trade, or the last one if the book has
   * moved.
   */
  executionAtOpen(order: ModelOrder, kline: Kline): ExecutionPrice | undefined {
    const meetsBook = order.request.spec.type === 'limit' && (order.isNew || this.isMove)
    const seen = meetsBook ? openingAt(kline, this.offeredTo(order)) : kline
    return this.taken(executionAtOpen(order, seen, this.#settings), order, kline)
  }

  /** Execution at the best price available now, if it takes; never beyond the order's own limit. */
  taken(execution: ExecutionPrice | undefined, order: ModelOrder, kline: Kline): ExecutionPrice | undefined {
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
