import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { amountOf, rateOf } from '../../../src/domain/numbers/amount.ts'
import { notionalOf, steps, ticks } from '../../../src/domain/numbers/grid.ts'
import { Account } from '../../../src/simulator/account.ts'
import { type Execution, settle } from '../../../src/simulator/spot/own-trade.ts'
import { SpotMarket } from '../../../src/simulator/spot/spot-market.ts'
import { isOpen, newSpotOrder, type SimulatedSpotOrder } from '../../../src/simulator/spot/spot-order.ts'
import { propertyRuns } from '../property-runs.ts'
import { NaiveBook, type NaiveOrder } from './naive-book.ts'

const INSTRUMENT: Instrument = {
  ...{ symbol: 'BTC/USDT', base: 'BTC', quote: 'USDT', pricePrecision: 2, quantityPrecision: 3 },
  ...{ minPrice: ticks(1), minQuantity: steps(1), maxQuantity: steps(Number.MAX_SAFE_INTEGER) },
  ...{ minNotional: amountOf('0'), leverage: { min: 1, max: 1 }, accountType: 'spot' },
  fees: { maker: rateOf('0.001'), taker: rateOf('0.002'), paidIn: 'received' },
}

const placing = fc.record({
  what: fc.constant('place' as const),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  type: fc.constantFrom('LIMIT', 'LIMIT', 'LIMIT', 'MARKET', 'IOC', 'FOK', 'POST_ONLY'),
  price: fc.integer({ min: 90, max: 110 }),
  quantity: fc.integer({ min: 1, max: 50 }),
  /** Of a market buy. */
  money: fc.integer({ min: 1, max: 6000 }),
})
const canceling = fc.record({ what: fc.constant('cancel' as const), index: fc.nat({ max: 60 }) })
const deeds = fc.array(fc.oneof({ arbitrary: placing, weight: 6 }, canceling), {
  minLength: 10,
  maxLength: 80,
  size: 'max',
})
type Placing = typeof placing extends fc.Arbitrary<infer Value> ? Value : never

function naiveOf({ side, type, price, quantity, money }: Placing, id: number): NaiveOrder {
  const isMarket = type === 'MARKET'
  const isSpending = isMarket && side === 'buy'
  return {
    ...{ id, side, type },
    price: isMarket ? undefined : price,
    quantity: isSpending ? undefined : quantity,
    money: isSpending ? money : undefined,
  }
}

/** The market of the exchange, with one account that may owe on both sides of every trade. */
class TestedMarket {
  readonly trades: Execution[] = []
  readonly finished: SimulatedSpotOrder[] = []
  readonly orders: SimulatedSpotOrder[] = []
  readonly market = new SpotMarket(INSTRUMENT, {
    executed: execution => {
      const trade = { ...execution, id: this.trades.length }
      settle(trade, this.#fees)
      this.trades.push(trade)
    },
    finished: order => this.finished.push(order),
  })
  readonly #house = new Account(1, true)
  readonly #fees = new Account(2)

  place({ id, side, type, price, quantity, money }: NaiveOrder): void {
    const size =
      quantity === undefined
        ? ({ unit: 'quote', amount: notionalOf(INSTRUMENT, ticks(1), steps(money ?? 0)) } as const)
        : ({ unit: 'base', quantity: steps(quantity) } as const)
    const limit = price === undefined ? undefined : ticks(price)
    const draft = { instrument: INSTRUMENT, side, type, size, price: limit, clientOrderId: undefined }
    const order = newSpotOrder(draft, { id: BigInt(id), account: this.#house, time: id })
    this.orders[id] = order
    this.market.place(order)
  }

  cancel(id: number): void {
    const order = this.orders[id]
    if (order !== undefined && isOpen(order)) this.market.cancel(order)
  }

  /** Everything on both sides, as the naive book lists it. */
  get resting() {
    const { book } = this.market
    const levels = [...book.levels('buy'), ...book.levels('sell')]
    return levels
      .flatMap(({ price, orders }) => orders.map(order => [order, price] as const))
      .map(([{ id, size, executedQuantity }, price]) => {
        const ordered = size.unit === 'base' ? size.quantity : 0
        return [Number(id), price, ordered - executedQuantity] as const
      })
      .sort(([left], [right]) => left - right)
  }
}

describe('the book', () => {
  const { numRuns, timeout } = propertyRuns(1500)

  it('trades any flow of orders as the simplest one does: the best price first, then whoever came first', {
    timeout,
  }, () => {
    const seen: Record<string, number> = {}
    const property = fc.property(deeds, flow => {
      const [naive, tested] = [new NaiveBook(), new TestedMarket()]
      flow.forEach((deed, id) => {
        if (deed.what === 'cancel') {
          naive.cancel(deed.index)
          tested.cancel(deed.index)
        } else {
          const order = naiveOf(deed, id)
          naive.place(order)
          tested.place(order)
        }
        const [bid, ask] = [tested.market.book.best('buy'), tested.market.book.best('sell')]
        if (bid !== undefined && ask !== undefined) expect(bid.price).toBeLessThan(ask.price)
        expect(tested.resting).toEqual(naive.resting)
      })
      const trades = tested.trades.map(({ maker, taker, price, quantity }) => ({
        ...{ maker: Number(maker.id), taker: Number(taker.id) },
        ...{ price, quantity },
      }))
      expect(trades).toEqual(naive.trades)
      for (const { taker } of tested.trades) seen[taker.type] = (seen[taker.type] ?? 0) + 1
      for (const { type, status } of tested.finished) {
        seen[`${type} ${status}`] = (seen[`${type} ${status}`] ?? 0) + 1
      }
    })
    fc.assert(property, { numRuns })
    // Every type has traded, and ended in both ways; POST_ONLY never takes.
    for (const type of ['LIMIT', 'MARKET', 'IOC', 'FOK']) {
      expect([seen[type], seen[`${type} FILLED`], seen[`${type} CANCELED`]]).not.toContain(undefined)
    }
    expect([seen.POST_ONLY, seen['POST_ONLY FILLED']]).toEqual([undefined, expect.any(Number)])
  })
})
