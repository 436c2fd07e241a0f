/** An order as the naive book knows it; prices in ticks, quantities in steps, money in ticks × steps. */
export interface NaiveOrder {
  readonly id: number
  readonly side: 'buy' | 'sell'
  readonly type: 'LIMIT' | 'MARKET' | 'IOC' | 'FOK' | 'POST_ONLY'
  readonly price: number | undefined
  readonly quantity: number | undefined
  readonly money: number | undefined
}

/** Two orders that met. */
export interface NaiveTrade {
  readonly maker: number
  readonly taker: number
  readonly price: number
  readonly quantity: number
}

interface Resting {
  readonly order: NaiveOrder
  readonly price: number
  open: number
}

/**
 * Price-time priority as simply as it can be written: all resting orders in one list in the order they came, looked through
 * from the start for every single trade.
 */
export class NaiveBook {
  readonly trades: NaiveTrade[] = []
  #resting: Resting[] = []

  place(order: NaiveOrder): void {
    let left = order.quantity ?? 0
    let money = order.money ?? 0
    const wanted = (price: number) => (order.money === undefined ? left : Math.floor(money / price))
    if (order.type === 'FOK' && this.#within(order) < left) return
    while (order.type !== 'POST_ONLY') {
      const maker = this.#best(order)
      const quantity = maker === undefined ? 0 : Math.min(maker.open, wanted(maker.price))
      if (maker === undefined || quantity === 0) break
      this.trades.push({ maker: maker.order.id, taker: order.id, price: maker.price, quantity })
      maker.open -= quantity
      left -= quantity
      money -= quantity * maker.price
      this.#resting = this.#resting.filter(({ open }) => open > 0)
    }
    const rests = order.type === 'LIMIT' || (order.type === 'POST_ONLY' && this.#best(order) === undefined)
    if (rests && left > 0 && order.price !== undefined) {
      this.#resting.push({ order, price: order.price, open: left })
    }
  }

  cancel(id: number): void {
    this.#resting = this.#resting.filter(({ order }) => order.id !== id)
  }

  /** `[id, price, open]` of what rests, in the order it came. */
  get resting(): readonly (readonly [number, number, number])[] {
    return this.#resting.map(({ order, price, open }) => [order.id, price, open])
  }

  #meeting({ side, price: limit }: NaiveOrder): Resting[] {
    return this.#resting.filter(({ order, price }) => {
      if (order.side === side) return false
      return limit === undefined || (side === 'buy' ? price <= limit : price >= limit)
    })
  }

  #within(order: NaiveOrder): number {
    return this.#meeting(order).reduce((sum, { open }) => sum + open, 0)
  }

  #best(order: NaiveOrder): Resting | undefined {
    const better = (left: number, right: number) => (order.side === 'buy' ? left < right : left > right)
    let best: Resting | undefined
    for (const candidate of this.#meeting(order)) {
      if (best === undefined || better(candidate.price, best.price)) best = candidate
    }
    return best
  }
}
