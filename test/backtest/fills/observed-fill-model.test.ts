import { describe, expect, it } from 'vitest'
import { ObservedFillModel } from '../../../backtest/fills/observed-fill-model.ts'
import { fixedArrivals } from '../../../backtest/models/order-arrivals.ts'
import { priceOf, quantityOf, roundToTicks, steps } from '../../../src/domain/numbers/grid.ts'
import type { OrderDraft } from '../../../src/domain/orders/order-request.ts'
import type { BookSnapshot, ObservedTrade } from '../../../src/matching/observation.ts'
import { MARGIN } from '../../engine/engine-session.ts'
import { requestOf } from '../../ledger/order-parts.ts'

const ticksAt = (price: number) => roundToTicks(MARGIN, price, 'nearest')
const ofBase = (base: number) => steps(base * 1000)

/** An order book that shows 5 on each side. */
function bookOf(time: number, bid: number, ask: number): BookSnapshot {
  const level = (price: number) => [{ price: ticksAt(price), quantity: ofBase(5) }]
  return { time, bids: level(bid), asks: level(ask), levels: 20 }
}

/** A public sale. */
function saleOf(time: number, price: number, base: number): ObservedTrade {
  return { id: `${time}`, time, price: ticksAt(price), quantity: ofBase(base), side: 'sell' }
}

/** A market of recorded order books and trades, whose model tells its fills and ends in words. */
class ObservedMarket {
  readonly told: string[] = []
  /** True while an exit at market is not over. */
  isExiting = false
  readonly model = new ObservedFillModel({
    instrument: MARGIN,
    rules: { queue: 'front', arrivals: fixedArrivals(0), hasBooks: true, hasMarks: false },
    onFill: ({ request, price, quantity, rule }) =>
      this.told.push(
        `${request.clientOrderId}: ${quantityOf(MARGIN, quantity)} at ${priceOf(MARGIN, price)} ${rule}`,
      ),
    onEnd: ({ clientOrderId }) => this.told.push(`${clientOrderId}: ended by the market`),
    onTrail: () => {},
    isHeldByExit: () => this.isExiting,
  })

  place(clientOrderId: string, spec: OrderDraft['spec'], base = 1): void {
    this.model.place(requestOf({ clientOrderId, spec, quantity: ofBase(base) }), 0)
  }

  cancel(clientOrderId: string, at: number): void {
    this.model.requestCancel(clientOrderId, at, () => this.told.push(`${clientOrderId}: canceled`))
  }

  book(time: number, bid: number, ask: number): void {
    this.model.observeBook(bookOf(time, bid, ask), time)
  }

  sale(time: number, price: number, base = 1): void {
    this.model.observeTrade(saleOf(time, price, base), time)
  }
}

const BID = { type: 'limit', price: ticksAt(99) } as const
const STOP = { type: 'stop', stopPrice: ticksAt(105) } as const

describe('an order that is taken out of recorded ticks', () => {
  it('at rest trades no more', () => {
    const market = new ObservedMarket()
    market.place('bid', BID)
    market.book(1000, 98, 100)
    expect(market.model.isEmpty).toBe(false)
    market.model.remove('bid')
    expect(market.model.isEmpty).toBe(true)
    market.sale(2000, 97)
    expect(market.told).toEqual([])
  })

  it('while it waits for its price is not sent by that', () => {
    const market = new ObservedMarket()
    market.place('stop', STOP)
    expect(market.model.isEmpty).toBe(false)
    market.model.remove('stop')
    expect(market.model.isEmpty).toBe(true)
    market.sale(1000, 106)
    market.book(2000, 105, 106)
    expect(market.told).toEqual([])
  })
})

it('an order at rest that is given a new quantity trades only what of that is open', () => {
  const market = new ObservedMarket()
  market.place('bid', BID, 3)
  market.book(1000, 98, 100)
  market.sale(2000, 98, 1)
  // 2 in all, of which 1 has traded.
  market.model.resize('bid', ofBase(2))
  market.sale(3000, 98, 5)
  expect(market.told).toEqual(['bid: 1 at 99 tradedThrough', 'bid: 1 at 99 tradedThrough'])
  expect(market.model.isEmpty).toBe(true)
})

describe('a cancel on recorded ticks', () => {
  it('ends the order by the next order book, and the market ends nothing then', () => {
    const market = new ObservedMarket()
    market.place('bid', BID)
    market.book(1000, 98, 100)
    market.cancel('bid', 2000)
    expect(market.told).toEqual([])
    market.book(2000, 98, 100)
    expect(market.told).toEqual(['bid: canceled'])
  })

  it('ends it without one after ten seconds, told by a trade', () => {
    const market = new ObservedMarket()
    market.place('bid', BID)
    market.book(1000, 98, 100)
    market.cancel('bid', 2000)
    market.sale(11_999, 100)
    expect(market.told).toEqual([])
    market.sale(12_000, 100)
    expect(market.told).toEqual(['bid: canceled'])
  })
})

it('of the entries that wait for an exit at market a canceled one is over at once, and the others are sent', () => {
  const market = new ObservedMarket()
  market.isExiting = true
  market.place('first', { type: 'market' })
  market.place('second', { type: 'market' })
  market.book(1000, 99, 100)
  market.cancel('first', 1500)
  expect(market.told).toEqual(['first: canceled'])
  market.isExiting = false
  market.book(2000, 99, 101)
  market.book(3000, 99, 102)
  // The book of 2000 sends the second one; the next one meets it.
  expect(market.told).toEqual(['first: canceled', 'second: 1 at 102 walked'])
})

describe('an order at market that is on its way when the data end', () => {
  const END = { openTime: 3000, open: 100.004, high: 101, low: 100, close: 101, volume: 1 }

  it('trades once, at the opposite best', () => {
    const market = new ObservedMarket()
    market.book(1000, 98, 99)
    market.place('late', { type: 'market' }, 2)
    market.model.force(END)
    expect(market.told).toEqual(['late: 2 at 99 positionClosed'])
    expect(market.model.isEmpty).toBe(true)
    market.book(4000, 98, 99)
    expect(market.told).toHaveLength(1)
  })

  it('without an order book trades at the tick nearest to the price', () => {
    const market = new ObservedMarket()
    market.place('late', { type: 'market' })
    market.model.force(END)
    expect(market.told).toEqual(['late: 1 at 100 positionClosed'])
  })
})
