import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountOf, rateOf, times, ZERO } from '../../src/domain/numbers/amount.ts'
import {
  baseAmount,
  notionalOf,
  type Steps,
  steps,
  stepsOf,
  ticks,
  worthOf,
} from '../../src/domain/numbers/grid.ts'
import type { Fill } from '../../src/domain/orders/fill.ts'
import type { RoundTrip } from '../../src/domain/round-trip.ts'
import { Balances } from '../../src/ledger/balances.ts'
import { bookFill, EMPTY_HOLDING, type Holding } from '../../src/ledger/fill-position.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { MARGIN_BTC, SPOT_BTC } from '../domain/instruments.ts'
import { requestOf, units } from './order-parts.ts'

const START = amountOf('100000')

/** One random order on margin: its fills, and which earlier order it protects, if any. */
const anyTrade = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  protects: fc.option(fc.nat(9), { nil: undefined }),
  fills: fc.array(
    fc.record({
      price: fc.integer({ min: 1, max: 10_000_000 }),
      quantity: fc.integer({ min: 1, max: 6 }),
      // Fees that no quantity divides; negative ones are rebates.
      fee: fc.bigInt({ min: -(10n ** 15n), max: 10n ** 18n }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
})
type Trade = typeof anyTrade extends fc.Arbitrary<infer Value> ? Value : never

/** A step that is held, as the simplest possible ledger knows it. */
interface Unit {
  readonly order: string
  readonly entryTime: number
}

/** Books trades on a ledger, and on a queue of single steps beside it. */
class Account {
  readonly ledger = new Ledger([MARGIN_BTC], [['USDT', START]])
  readonly roundTrips: RoundTrip[] = []
  readonly closedUnits: Unit[] = []
  held: Unit[] = []
  sign = 0
  lastPrice = ticks(1)
  #time = 0

  trade({ side, protects, fills }: Trade, index: number): void {
    const quantity = steps(fills.reduce((sum, fill) => sum + fill.quantity, 0))
    const clientOrderId = `order-${index}`
    const entry = protects === undefined ? undefined : `order-${protects}`
    const request = requestOf({
      clientOrderId,
      side,
      quantity,
      ...(entry !== undefined && { protects: entry }),
    })
    this.ledger.orders.add(request)
    this.ledger.orders.update(clientOrderId, 'submitted')
    for (const { price, quantity, fee } of fills) {
      const time = this.#time++
      this.lastPrice = ticks(price)
      const fill: Fill = {
        id: `${time}`,
        clientOrderId,
        symbol: 'BTC/USDT',
        side,
        price: this.lastPrice,
        quantity: steps(quantity),
        fee: units(fee),
        feeAsset: 'USDT',
        liquidity: 'taker',
        time,
      }
      this.roundTrips.push(...(this.ledger.book(fill)?.roundTrips ?? []))
      for (let step = 0; step < quantity; step++)
        this.#tradeUnit(side === 'buy' ? 1 : -1, clientOrderId, entry, time)
    }
  }

  #tradeUnit(sign: number, order: string, entry: string | undefined, entryTime: number): void {
    if (this.held.length === 0 || this.sign === sign) {
      this.sign = sign
      this.held.push({ order, entryTime })
      return
    }
    const leaving = this.held.find(unit => unit.order === entry) ?? this.held[0]
    if (leaving === undefined) return
    this.closedUnits.push(leaving)
    this.held = this.held.filter(unit => unit !== leaving)
  }
}

const accountAfter = (trades: readonly Trade[]) => {
  const account = new Account()
  trades.forEach((trade, index) => {
    account.trade(trade, index)
  })
  return account
}

const anyTrades = fc.array(anyTrade, { maxLength: 25 })

describe('a margin ledger after any fills', () => {
  it('holds the signed sum of its fills, lot by lot', () => {
    fc.assert(
      fc.property(anyTrades, trades => {
        const { ledger, held, sign } = accountAfter(trades)
        const position = ledger.position('BTC/USDT')
        const signed = trades.flatMap(({ side, fills }) =>
          fills.map(({ quantity }) => (side === 'buy' ? quantity : -quantity)),
        )
        const sum = signed.reduce((total, quantity) => total + quantity, 0)
        expect(position?.quantity ?? 0).toBe(Math.abs(sum))
        expect(position?.direction).toBe(sum === 0 ? undefined : sum > 0 ? 'long' : 'short')
        expect(sum).toBe(sign * held.length + 0)
        expect(ledger.balances.of('BTC')).toBe(BigInt(sum) * baseAmount(MARGIN_BTC, steps(1)))
        const lots = position?.lots ?? []
        expect(lots.flatMap(lot => Array(lot.quantity).fill(lot.time))).toEqual(
          held.map(unit => unit.entryTime),
        )
      }),
    )
  })

  it('closed first what was protected, then what came first', () => {
    fc.assert(
      fc.property(anyTrades, trades => {
        const { roundTrips, closedUnits } = accountAfter(trades)
        const closed = roundTrips.flatMap(({ quantity, entryTime }) => Array(quantity).fill(entryTime))
        expect(closed).toEqual(closedUnits.map(unit => unit.entryTime))
      }),
    )
  })

  it('has made, to the last digit, the profit of its round trips and its open lots', () => {
    fc.assert(
      fc.property(anyTrades, trades => {
        const { ledger, roundTrips, lastPrice } = accountAfter(trades)
        ledger.mark(MARGIN_BTC, lastPrice)
        const realised = roundTrips.reduce((sum, { pnl }) => sum + pnl, 0n)
        const position = ledger.position('BTC/USDT')
        const unrealised = (position?.lots ?? []).reduce((sum, { price, quantity, fee }) => {
          const gain = notionalOf(MARGIN_BTC, lastPrice, quantity) - notionalOf(MARGIN_BTC, price, quantity)
          return sum + (position?.direction === 'long' ? gain : -gain) - fee
        }, 0n)
        expect(ledger.equity('USDT') - START).toBe(realised + unrealised)
      }),
    )
  })
})

describe('a spot account whose fees are taken in base', () => {
  it('owns exactly its position and a dust below one step, and bears every fee', () => {
    const anyOrder = fc.record({
      isBuy: fc.boolean(),
      quantity: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 5000 })),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
      rate: fc.bigInt({ min: 0n, max: 2n * 10n ** 16n }),
    })
    fc.assert(
      fc.property(fc.array(anyOrder, { maxLength: 40 }), orders => {
        const balances = new Balances()
        balances.set('USDT', START)
        let holding: Holding = EMPTY_HOLDING
        let [paid, closed] = [0n, 0n]
        orders.forEach(({ isBuy, quantity, part, rate }, index) => {
          const heldSteps: number = holding.position?.quantity ?? 0
          const amount: Steps = steps(isBuy ? quantity : Math.floor(heldSteps * part))
          if (amount === 0) return
          const side = isBuy ? 'buy' : 'sell'
          const fill: Fill = {
            id: `${index}`,
            clientOrderId: `${index}`,
            symbol: 'BTC/USDT',
            side,
            price: ticks(10_000 + index),
            quantity: amount,
            fee: isBuy ? times(baseAmount(SPOT_BTC, amount), rateOf(`${rate}e-18`)) : ZERO,
            feeAsset: isBuy ? 'BTC' : 'USDT',
            liquidity: 'taker',
            time: index,
          }
          const booked = bookFill(SPOT_BTC, holding, fill, requestOf({ clientOrderId: `${index}`, side }))
          balances.book(SPOT_BTC, fill)
          holding = booked.holding
          paid += worthOf(SPOT_BTC, fill.price, fill.fee)
          for (const { fees } of booked.roundTrips) closed += fees
          const lots = (holding.position?.lots ?? []).reduce((sum, { fee }) => sum + fee, 0n)
          expect(closed + lots + (holding.dustFee ?? 0n)).toBe(paid)
          const owned = baseAmount(SPOT_BTC, holding.position?.quantity ?? steps(0)) + holding.dust
          expect(balances.of('BTC')).toBe(owned)
          expect(holding.dust).toBeGreaterThanOrEqual(0n)
          expect(holding.dust).toBeLessThan(baseAmount(SPOT_BTC, stepsOf(SPOT_BTC, '0.001')))
        })
      }),
    )
  })
})
