import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MarginMode } from '../../src/domain/futures-terms.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { type Amount, add, amountOf, rateOf, subtract, ZERO } from '../../src/domain/numbers/amount.ts'
import { notionalOf, steps, type Ticks, ticks } from '../../src/domain/numbers/grid.ts'
import type { Contract } from '../../src/simulator/futures/contract.ts'
import { newFuturesOrder } from '../../src/simulator/futures/orders/futures-order.ts'
import { Clearing } from '../../src/simulator/futures/positions/clearing.ts'
import { crossStateOf, keepOf } from '../../src/simulator/futures/positions/equity.ts'
import { FuturesAccount, totalOf } from '../../src/simulator/futures/positions/futures-account.ts'
import { liquidateWhereDue } from '../../src/simulator/futures/positions/liquidation.ts'
import { positionLiquidationPrice } from '../../src/simulator/futures/positions/liquidation-price.ts'
import { type SimulatedPosition, unrealizedOf } from '../../src/simulator/futures/positions/position.ts'
import { futuresWith } from '../domain/instruments.ts'
import { ContractSession } from './contract-session.ts'
import { units } from './order-parts.ts'

const COIN = 'USDT'
const MAINTENANCE = [
  { upTo: amountOf('20000'), rate: rateOf('0.005') },
  { upTo: amountOf('60000'), rate: rateOf('0.02') },
  { rate: rateOf('0.05') },
]

/** The simulated exchange's account of the same contract, as a second implementation. */
class VenueExecution {
  readonly contract: Contract
  readonly account: FuturesAccount
  readonly #clearing: Clearing
  mark: Ticks = ticks(200_000)
  #orders = 0n

  constructor(instrument: Instrument, isTwoWay: boolean, marginMode: MarginMode) {
    const rates = { maker: instrument.fees.maker, taker: instrument.fees.taker }
    this.contract = {
      ...{ id: 1, name: 'E-BTC-USDT', type: 'E', base: 'BTC', quote: COIN, isTrading: true },
      ...{
        pricePrecision: 1,
        quantityPrecision: 0,
        multiplier: amountOf('0.01'),
        tickWorth: amountOf('0.001'),
      },
      ...{ minOrderVolume: steps(1), minOrderMoney: ZERO, maxMarketVolume: steps(1e9), maxMarketMoney: ZERO },
      ...{
        maxLimitVolume: steps(1e9),
        maxLimitMoney: ZERO,
        maxValidOrder: 10,
        leverage: { min: 1, max: 100 },
      },
      fees: { open: rates, close: rates },
      tiers: MAINTENANCE.map(({ upTo, rate }) => ({ upTo, keepRate: rate })),
      premium: rateOf('0'),
      funding: { intervalHours: 8, fixedRate: undefined, interestRate: rateOf('0') },
    }
    const positionMode = isTwoWay ? 'twoWay' : 'net'
    const defaults = { positionMode, marginMode, leverage: instrument.futures?.leverage ?? 1 } as const
    const open = (uid: number) => new FuturesAccount({ uid, defaults, keptRecords: 10 })
    this.account = open(10)
    this.#clearing = new Clearing(open(1), open(2))
    this.account.book('transferIn', amountOf('10000'), { coin: COIN, contract: undefined, time: 0 })
  }

  trade(side: 'buy' | 'sell', volume: number, price: Ticks, closes: boolean): void {
    const slot = this.account.slot(this.contract)
    const order = newFuturesOrder({
      ...{ id: ++this.#orders, account: this.account, contract: this.contract, side, type: 'MARKET' },
      ...{
        action: closes ? 'CLOSE' : 'OPEN',
        volume: steps(volume),
        price: undefined,
        limit: price,
        time: 0,
      },
      ...{
        marginMode: slot.marginMode,
        leverage: slot.leverage,
        clientOrderId: undefined,
        trigger: undefined,
      },
    })
    this.#clearing.fill(order, price, steps(volume), 'taker', 0)
  }

  settle(rate: string, price: Ticks): void {
    this.#clearing.settleFunding([this.account], this.contract, price, rateOf(rate), 0)
  }

  liquidate(): void {
    const context = {
      clearing: this.#clearing,
      markOf: () => this.mark,
      cancel: () => {},
      trimClosing: () => {},
    }
    liquidateWhereDue(this.account, COIN, context, 0)
  }

  positionOf(direction: 'long' | 'short'): SimulatedPosition | undefined {
    return this.account.slot(this.contract)[direction]
  }

  priceOf(position: SimulatedPosition): Amount {
    if (position.marginMode === 'isolated') return positionLiquidationPrice(position, position.margin)
    const { equity, maintenance } = crossStateOf(this.account, COIN, () => this.mark)
    const others = subtract(maintenance, keepOf(position, this.mark))
    return positionLiquidationPrice(
      position,
      subtract(subtract(equity, unrealizedOf(position, this.mark)), others),
    )
  }
}

const anyPrice = fc
  .oneof(fc.integer({ min: 190_000, max: 212_000 }), fc.integer({ min: 150_000, max: 260_000 }))
  .map(value => value / 10)
const anyStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('trade' as const),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      quantity: fc.integer({ min: 1, max: 250 }),
      price: anyPrice,
      closes: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('funding' as const),
      rate: fc.integer({ min: -150, max: 150 }).map(value => (value / 10_000).toFixed(4)),
      price: anyPrice,
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('mark' as const), price: anyPrice }) },
)
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never

const anyTerms = fc.record({
  leverage: fc.integer({ min: 1, max: 40 }),
  marginMode: fc.constantFrom('cross' as const, 'isolated' as const),
  positionMode: fc.constantFrom('oneWay' as const, 'twoWay' as const),
})

/** Plays steps to the ledger and to the exchange; `check` is called after each. */
function play(
  terms: typeof anyTerms extends fc.Arbitrary<infer Value> ? Value : never,
  list: readonly Step[],
  check: (session: ContractSession, exchange: VenueExecution, twoWay: boolean) => void,
  liquidated = { count: 0 },
): void {
  const instrument = futuresWith({ ...terms, maintenance: MAINTENANCE })
  const twoWay = terms.positionMode === 'twoWay'
  const session = new ContractSession(instrument)
  const exchange = new VenueExecution(instrument, twoWay, terms.marginMode)
  session.mark(20_000)
  for (const step of list) {
    if (step.type === 'trade') trade(session, exchange, step, twoWay)
    else if (step.type === 'funding') {
      session.settle(step.rate, step.price)
      exchange.settle(step.rate, session.tick(step.price))
    } else {
      session.mark(step.price)
      exchange.mark = session.tick(step.price)
    }
    liquidated.count += session.liquidate(exchange.mark / 10)
    exchange.liquidate()
    check(session, exchange, twoWay)
  }
}

function trade(
  session: ContractSession,
  exchange: VenueExecution,
  { side, quantity, price, closes }: Extract<Step, { type: 'trade' }>,
  twoWay: boolean,
): void {
  const direction = (side === 'buy') !== closes ? 'long' : 'short'
  const book = twoWay ? `BTC/USDT:${direction}` : 'BTC/USDT'
  const held = session.ledger.contracts.of(book)
  const opposite = held !== undefined && held.direction !== (side === 'buy' ? 'long' : 'short')
  const volume = closes ? Math.min(quantity, opposite ? held.quantity : 0) : quantity
  if (volume === 0) return
  session.trade({ side, quantity: volume, price, book, reduceOnly: closes })
  exchange.trade(side, volume, session.tick(price), closes)
}

describe('contracts of the ledger', () => {
  it('are wallet, position, entry, margin and liquidation price of the simulated exchange, whatever happens', () => {
    let compared = 0
    const liquidated = { count: 0 }
    fc.assert(
      fc.property(anyTerms, fc.array(anyStep, { minLength: 1, maxLength: 30 }), (terms, list) => {
        play(
          terms,
          list,
          ({ ledger }, exchange, twoWay) => {
            expect(ledger.balances.of(COIN)).toBe(totalOf(exchange.account.wallet(COIN)))
            for (const direction of ['long', 'short'] as const) {
              const theirs = exchange.positionOf(direction)
              const book = twoWay ? `BTC/USDT:${direction}` : 'BTC/USDT'
              const own = ledger.contracts.of(book)
              const ours = own?.direction === direction ? own : undefined
              expect(ours?.quantity).toBe(theirs?.volume)
              expect(ours?.cost).toBe(theirs?.cost)
              expect(ours?.margin).toBe(theirs?.margin)
              if (theirs === undefined) continue
              expect(ledger.liquidations.priceOf(book)).toBe(exchange.priceOf(theirs))
              compared++
            }
          },
          liquidated,
        )
      }),
      { numRuns: 1000, seed: 7 },
    )
    expect(compared).toBeGreaterThan(2000)
    expect(liquidated.count).toBeGreaterThan(100)
  })

  it('lose and win nothing but profits, fees, funding and what the exchange bears', () => {
    fc.assert(
      fc.property(anyTerms, fc.array(anyStep, { minLength: 1, maxLength: 30 }), (terms, list) => {
        play(terms, list, session => {
          const { ledger, instrument, roundTrips, funding } = session
          let expected = subtract(amountOf('10000'), funding)
          for (const { pnl } of roundTrips) expected = add(expected, pnl)
          for (const { book, position } of ledger.contracts.held) {
            const lots = ledger.position(book)?.lots ?? []
            expect(lots.reduce((sum, lot) => sum + lot.quantity, 0)).toBe(position.quantity)
            for (const lot of lots) expected = subtract(expected, lot.fee)
            // What the lots cost and what the average makes of it differ by what was closed at other prices.
            const cost = lots.reduce(
              (sum, lot) => add(sum, notionalOf(instrument, lot.price, lot.quantity)),
              ZERO,
            )
            const shift = subtract(position.cost, cost)
            expected = add(expected, position.direction === 'long' ? shift : units(-shift))
          }
          expect(ledger.balances.of(COIN)).toBe(add(expected, ledger.contracts.borneLoss(COIN)))
        })
      }),
      { numRuns: 300, seed: 3 },
    )
  })

  it('are due exactly from the first mark price on that the search finds', () => {
    fc.assert(
      fc.property(anyTerms, fc.array(anyStep, { minLength: 1, maxLength: 12 }), (terms, list) => {
        play(terms, list, ({ ledger, instrument }, { mark }) => {
          for (const [towards, sign] of [
            ['down', -1],
            ['up', 1],
          ] as const) {
            const first = ledger.liquidations.firstDue(instrument, mark, towards)
            const isDue = (at: number) => ledger.liquidations.due(instrument, ticks(at)).length > 0
            if (first !== undefined) {
              expect(isDue(first)).toBe(true)
              if (first !== mark) expect(isDue(first - sign)).toBe(false)
            }
            // Nothing on the way is due before it: not at the ends of the tiers, nor anywhere else that is looked at.
            const end = Math.min(first ?? mark + sign * 150_000, 1_000_000)
            for (let part = 1; part < 20; part++) {
              const at = Math.round(mark + ((end - mark) * part) / 20)
              if (at >= 1 && at !== first) expect(isDue(at)).toBe(false)
            }
          }
        })
      }),
      { numRuns: 100, seed: 5 },
    )
  })
})
