import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BacktestResult } from '../../../backtest/results/backtest-result.ts'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import type { TickData } from '../../../backtest/ticks/tick-data.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { priceOf, quantityOf } from '../../../src/domain/numbers/grid.ts'
import { enterLong, enterShort, type Signals } from '../../../src/strategy/index.ts'
import { MARGIN } from '../../engine/engine-session.ts'
import { saying, type TradeRow, tickBacktest, ticksOf } from './tick-run.ts'

/** Minutes from 0:00 to 0:03; the first closes at 60,000. */
const START: TradeRow = [0, 100]
const END: TradeRow = [180_000, 100]

/** Plays strategies that each say one thing at 60,000, on one market. */
function play(said: readonly Signals[], ticks: TickData): BacktestResult {
  const markets = said.map(signals => tickBacktest(saying(signals), ticks, { queue: 'front' }))
  const [{ fills, sizingReference, closeAtEnd }] = markets as [(typeof markets)[number]]
  const balances = new Map([['USDT', amountOf('10000000')]])
  return runBacktest({ markets, balances, fills, sizingReference, closeAtEnd })
}

/** Fills in words, with the number of their strategy: `1: buy 4 at 101, 60500`. */
function fillsIn({ fills }: BacktestResult): readonly string[] {
  return fills.map(({ book, side, quantity, price, time }) => {
    const number = book.startsWith('BTC/USDT#saying#') ? book.slice('BTC/USDT#saying#'.length) : '1'
    return `${number}: ${side} ${quantityOf(MARGIN, quantity)} at ${priceOf(MARGIN, price)}, ${time}`
  })
}

const buy = (base: number, price?: number) =>
  enterLong({ size: { base }, ...(price !== undefined && { order: { type: 'limit', price } }) })

describe('several strategies on one recorded market', () => {
  it('take what an order book shows once, in their order', () => {
    const ticks = ticksOf([START, END], [[60_500, 99, 101]])
    // The book offers 5.
    expect(fillsIn(play([buy(4), buy(4)], ticks))).toEqual([
      '1: buy 4 at 101, 60500',
      '2: buy 1 at 101, 60500',
    ])
    expect(fillsIn(play([buy(2), buy(4)], ticks))).toEqual([
      '1: buy 2 at 101, 60500',
      '2: buy 3 at 101, 60500',
    ])
  })

  it('of which one buys and one sells do not take from each other', () => {
    const ticks = ticksOf([START, END], [[60_500, 99, 101]])
    expect(fillsIn(play([buy(4), enterShort({ size: { base: 5 } })], ticks))).toEqual([
      '1: buy 4 at 101, 60500',
      '2: sell 5 at 99, 60500',
    ])
  })

  const trades = fc.array(
    fc.record({
      time: fc.integer({ min: 60_001, max: 60_040 }),
      price: fc.integer({ min: 96, max: 102 }),
      quantity: fc.constantFrom(-7, -3, -2, -1, 1, 2, 3, 7),
    }),
    { maxLength: 30 },
  )
  const bids = fc.array(
    fc.record({ price: fc.integer({ min: 96, max: 102 }), base: fc.integer({ min: 1, max: 9 }) }),
    { minLength: 1, maxLength: 4 },
  )

  it('fill at trades alone as a second writing of the rules fills them', () => {
    let partly = 0
    fc.assert(
      fc.property(trades, bids, (given, said) => {
        const rows = given.toSorted((left, right) => left.time - right.time)
        const ticks = ticksOf([
          START,
          ...rows.map(({ time, price, quantity }): TradeRow => [time, price, quantity]),
          END,
        ])
        const found = fillsIn(
          play(
            said.map(({ base, price }) => buy(base, price)),
            ticks,
          ),
        )
        const expected = fillsByHand(rows, said)
        expect(found.toSorted()).toEqual(expected.toSorted())
        if (expected.length > said.length) partly++
      }),
      { numRuns: 300 },
    )
    expect(partly).toBeGreaterThan(50)
  })
})

interface BidByHand {
  readonly price: number
  readonly base: number
}

/**
 * Fills of bids that are sent at 60,000 and first in the queue, where trades are all that is known. Beside a purchase within its
 * limit a bid that arrives buys at that price, and one that rests at its own where the purchase was below it; a sale at its limit or
 * below fills one that rests. Each unit of a trade serves one bid of the one kind, and one of the other.
 */
function fillsByHand(
  trades: readonly { readonly time: number; readonly price: number; readonly quantity: number }[],
  said: readonly BidByHand[],
): string[] {
  const fills: string[] = []
  const bids = said.map(({ price, base }, place) => ({ name: place + 1, price, left: base, since: -1 }))
  for (const { time, price, quantity } of trades) {
    let left = Math.abs(quantity)
    for (const bid of bids) {
      if (bid.left === 0) continue
      const fill = (at: number) => {
        const filled = Math.min(left, bid.left)
        left -= filled
        bid.left -= filled
        if (filled > 0) fills.push(`${bid.name}: buy ${filled} at ${at}, ${time}`)
        return filled
      }
      const isPurchase = quantity > 0
      if (bid.since < 0) {
        const filled = isPurchase && price <= bid.price ? fill(price) : 0
        bid.since = filled > 0 ? time : 60_000
        if (isPurchase) continue
      }
      if (time <= bid.since) continue
      if (isPurchase ? price < bid.price : price <= bid.price) fill(bid.price)
    }
  }
  return fills
}
