import { expect } from 'vitest'
import type { SimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import type { SimulatedOwnTrade } from '../../../src/simulator/spot/own-trade.ts'
import { isOpen, type SimulatedSpotOrder } from '../../../src/simulator/spot/spot-order.ts'

/** Looks at every trade of the users at the moment it happens, and keeps what is wrong with it. */
export class TradeWatch {
  readonly problems: string[] = []
  /** What was seen, by type of the taking order. */
  readonly takers: Record<string, number> = {}
  readonly #exchange: SimulatedExchange

  constructor(exchange: SimulatedExchange) {
    this.#exchange = exchange
    for (const history of this.#histories) {
      const traded = history.traded.bind(history)
      history.traded = trade => {
        this.#look(trade)
        traded(trade)
      }
    }
  }

  /** Fails with everything that was wrong. */
  expectNoProblems(): void {
    expect(this.problems).toEqual([])
  }

  get #histories() {
    return this.#exchange.state.users.flatMap(({ history, margin }) => [history, margin.history])
  }

  #look({ execution, order }: SimulatedOwnTrade): void {
    const { maker, taker, price, time } = execution
    this.takers[taker.type] = (this.takers[taker.type] ?? 0) + 1
    if (maker.price !== price)
      this.#report(order, `traded at ${price}, but its maker rests at ${maker.price}`)
    if (!isWithin(taker, price)) this.#report(order, `traded at ${price}, beyond the taker's ${taker.price}`)
    if (maker.side === taker.side) this.#report(order, 'traded on both sides of one')
    if (!['LIMIT', 'STOP', 'POST_ONLY'].includes(maker.type)) this.#report(order, `was made by ${maker.type}`)
    if (taker.type === 'POST_ONLY') this.#report(order, 'was taken by POST_ONLY')
    if (order.workingSince === undefined || order.workingSince > time) {
      this.#report(order, 'traded before it was on the book')
    }
    for (const other of this.#restingBeside(maker, taker)) {
      const isBetter = maker.side === 'buy' ? (other.price ?? 0) > price : (other.price ?? 0) < price
      if (isBetter) this.#report(order, `traded at ${price} through ${other.id} at ${other.price}`)
      const isEarlier = (other.workingSince ?? time) < (maker.workingSince ?? time)
      if (other.price === price && isEarlier) this.#report(order, `traded at ${price} before ${other.id}`)
    }
  }

  /** The users' orders that rest on the maker's side of its book. */
  #restingBeside(maker: SimulatedSpotOrder, taker: SimulatedSpotOrder): SimulatedSpotOrder[] {
    return this.#histories
      .flatMap(({ openOrders }) => openOrders)
      .filter(order => order !== maker && order !== taker && order.side === maker.side)
      .filter(({ instrument, workingSince }) => instrument === maker.instrument && workingSince !== undefined)
      .filter(order => isOpen(order) && order.price !== undefined)
  }

  #report({ id, type }: SimulatedSpotOrder, what: string): void {
    this.problems.push(`${type} ${id} ${what}.`)
  }
}

function isWithin({ side, price: limit }: SimulatedSpotOrder, price: number): boolean {
  if (limit === undefined) return true
  return side === 'buy' ? price <= limit : price >= limit
}
