import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RunCounter } from '../../../src/bot/log/bot-summary.ts'
import type { LivePrices } from '../../../src/bot/text/position-status.ts'
import { positionText } from '../../../src/bot/text/position-text.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { amountOf, amountToText, rateOf } from '../../../src/domain/numbers/amount.ts'
import { baseAmount, steps, ticks } from '../../../src/domain/numbers/grid.ts'
import type { Fill } from '../../../src/domain/orders/fill.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { Ledger } from '../../../src/ledger/ledger.ts'
import { FUTURES_BTC, futuresWith, MARGIN_BTC, SPOT_BTC } from '../../domain/instruments.ts'
import { requestOf, units } from '../../ledger/order-parts.ts'

const SYMBOL = 'BTC/USDT'

interface Trade {
  /** Signed steps; negative sells. */
  readonly quantity: number
  /** Ticks. */
  readonly price: number
  /** Units of 10^-18. */
  readonly fee: bigint
  /** Funding paid after it, units of 10^-18; only for contracts. */
  readonly funding?: bigint
}

/** A ledger of one instrument, with the summary of what is booked since `begin`, and the money counted beside it. */
class Run {
  readonly ledger: Ledger
  /** Price of all trades and funding so far: what the account has paid, units of 10^-18. */
  paid = 0n
  held = 0
  readonly #instrument: Instrument
  #counter: RunCounter | undefined
  #count = 0

  constructor(instrument: Instrument) {
    this.#instrument = instrument
    this.ledger = new Ledger([instrument], [['USDT', amountOf('1000000')]])
  }

  begin(price: number): void {
    this.#counter = new RunCounter(this.#engine, { total: new Map() })
    this.#counter.observePrices(at(price))
  }

  trade({ quantity, price, fee, funding = 0n }: Trade): void {
    const clientOrderId = `order-${this.#count++}`
    const side = quantity > 0 ? 'buy' : 'sell'
    const size = steps(Math.abs(quantity))
    this.ledger.orders.add(requestOf({ clientOrderId, side, quantity: size }))
    this.ledger.orders.update(clientOrderId, 'submitted')
    const common = { clientOrderId, symbol: SYMBOL, side, time: this.#count } as const
    const money = { price: ticks(price), quantity: size, fee: units(fee), feeAsset: 'USDT' } as const
    const fill: Fill = { ...common, ...money, id: clientOrderId, liquidity: 'taker' }
    for (const roundTrip of this.ledger.book(fill)?.roundTrips ?? [])
      this.#counter?.count({ type: 'roundTripClosed', roundTrip })
    this.held += quantity
    this.paid += BigInt(quantity) * BigInt(price) * this.#perTick + fee + this.#fund(funding)
  }

  /** What the account gains if everything is sold at a price, units of 10^-18. */
  worthAt(price: number): bigint {
    return BigInt(this.held) * BigInt(price) * this.#perTick - this.paid
  }

  summary(price: number) {
    const summary = this.#counter?.summary(this.#engine, [this.#instrument], at(price), new Map())
    if (summary === undefined) throw new Error('The run has not begun.')
    return summary
  }

  #fund(amount: bigint): bigint {
    if (this.held === 0 || this.#instrument.accountType !== 'futures') return 0n
    const settlement = { rate: rateOf('0.0001'), price: ticks(1), time: this.#count }
    const payment = { symbol: SYMBOL, book: SYMBOL, amount: units(amount), ...settlement }
    this.ledger.fund(payment)
    this.#counter?.count({ type: 'fundingBooked', payment })
    return amount
  }

  /** Quote of one step at one tick, units of 10^-18. */
  get #perTick(): bigint {
    return BigInt(baseAmount(this.#instrument, steps(1))) / 10n ** BigInt(this.#instrument.pricePrecision)
  }

  /** The parts of an engine that a summary reads, which the cast leaves it with. */
  get #engine(): Engine {
    const markets = [{ symbol: SYMBOL, books: { all: [SYMBOL] }, strategy: 'test' }]
    return { ledger: this.ledger, runners: [{ markets }], risk: { scopes: [] } } as unknown as Engine
  }
}

function at(price: number): LivePrices {
  return { priceOf: () => ticks(price), stopPriceOf: () => undefined, oldPriceMs: () => undefined }
}

function unitsOf(amounts: Readonly<Record<string, string>>): bigint {
  return amountOf(amounts.USDT ?? '0')
}

const SMALL_CONTRACT: Instrument = {
  ...futuresWith({ marginMode: 'cross' }),
  contractSize: amountOf('0.0001'),
}

describe('the summary of a position that was scaled in and closed in part', () => {
  const run = new Run(SMALL_CONTRACT)
  run.begin(546_500)
  for (const [quantity, price] of [
    [36, 546_855],
    [36, 546_799],
    [-36, 546_661],
    [36, 546_594],
    [36, 546_538],
    [-54, 546_490],
  ] as const)
    run.trade({ quantity, price, fee: BigInt(Math.abs(quantity)) * 10n ** 15n })

  it('counts what is open by the lots that round trips have left, so that nothing is put down to others', () => {
    const { profit, realised, open, other } = run.summary(546_491)
    // 36 × -19.4 - 36 × 30.9 - 18 × 10.4, each of 0.0001 BTC, less 0.09 of entries and 0.09 of exits.
    expect(realised).toEqual({ USDT: '-0.3798' })
    // 18 at 54,659.4 and 36 at 54,653.8, at 54,649.1: -0.03546, less 0.054 of their entries.
    expect(open).toEqual({ USDT: '-0.08946' })
    expect(profit).toEqual({ USDT: '-0.46926' })
    expect(other).toEqual({ USDT: '0' })
  })

  it("tells the exchange's average entry, and beside it that of the entries still open", () => {
    const [held] = run.summary(546_491).held
    // 36 stay at the average of the first two, 54,682.7; with 36 at 54,659.4 and 36 at 54,653.8: 54,665.3.
    // 18 at 54,659.4 and 36 at 54,653.8: a third of 163,967, between two ticks.
    expect([held?.entryPrice, held?.openEntryPrice]).toEqual(['54665.3', '54655.666666666666666666'])
    expect(held === undefined ? '' : positionText(held)).toContain(
      "entry 54,665.3 (the exchange's average; 54,655.7 of the entries still open), mark 54,649.1, -0.087 USDT",
    )
  })
})

const anyPrice = fc.integer({ min: 99_000, max: 101_000 })
const anyTrade = fc.record({
  quantity: fc.integer({ min: -9, max: 9 }).filter(quantity => quantity !== 0),
  // So near that no isolated margin is lost, and the exchange bears no loss.
  price: anyPrice,
  // Fees and funding that no quantity divides; negative ones are received.
  fee: fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
  funding: fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
})
const anyRun = fc.record({
  before: fc.array(anyTrade, { maxLength: 12 }),
  since: fc.array(anyTrade, { maxLength: 20 }),
  prices: fc.tuple(anyPrice, anyPrice),
})

describe.each([
  ['futures on cross margin', futuresWith({ marginMode: 'cross' })],
  ['futures on isolated margin', FUTURES_BTC],
  ['margin', MARGIN_BTC],
  ['spot', SPOT_BTC],
])('the summary of any trades on %s', (_, instrument) => {
  it('has round trips, open positions and funding that add up to the profit, to the last digit', () => {
    fc.assert(
      fc.property(anyRun, ({ before, since, prices: [first, last] }) => {
        const run = new Run(instrument)
        const play = (trades: readonly Trade[]) => {
          for (const trade of trades) {
            // A spot account sells no more than it has.
            const quantity =
              instrument.accountType === 'spot' ? Math.max(trade.quantity, -run.held) : trade.quantity
            if (quantity !== 0) run.trade({ ...trade, quantity })
          }
        }
        play(before)
        const start = run.worthAt(first)
        run.begin(first)
        play(since)
        const { profit, realised, open, funding, other } = run.summary(last)
        expect(unitsOf(profit)).toBe(run.worthAt(last) - start)
        expect(unitsOf(realised) + unitsOf(open) - unitsOf(funding)).toBe(unitsOf(profit))
        expect(other).toEqual({ USDT: amountToText(units(0n)) })
      }),
    )
  })
})
