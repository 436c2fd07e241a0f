import { feeOf } from '../../src/domain/fee.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { amountOf, rateOf, ZERO } from '../../src/domain/numbers/amount.ts'
import { notionalOf, steps, type Ticks, ticks } from '../../src/domain/numbers/grid.ts'
import type { Fill } from '../../src/domain/orders/fill.ts'
import { exitSideOf, type Side } from '../../src/domain/orders/side.ts'
import type { RoundTrip } from '../../src/domain/round-trip.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { requestOf, units } from './order-parts.ts'

/** One trade of a test: contracts at a price in quote, with the taker fee of the instrument. */
export interface TestTrade {
  readonly side: Side
  readonly quantity: number
  readonly price: number
  readonly book?: string
  readonly reduceOnly?: boolean
  /** ms UTC; default 0. */
  readonly time?: number
}

/** A futures account of 10,000 USDT on one contract. */
export class ContractSession {
  readonly instrument: Instrument
  readonly ledger: Ledger
  readonly roundTrips: RoundTrip[] = []
  funding = ZERO
  #count = 0

  constructor(instrument: Instrument, balance = '10000') {
    this.instrument = instrument
    this.ledger = new Ledger([instrument], [[instrument.quote, amountOf(balance)]])
  }

  /** A price in ticks. */
  tick(price: number): Ticks {
    return ticks(Math.round(price * 10 ** this.instrument.pricePrecision))
  }

  trade({ side, quantity, price, book, reduceOnly = false, time = 0 }: TestTrade): void {
    const at = this.tick(price)
    const { fee } = feeOf(this.instrument, side, at, steps(quantity), 'taker')
    this.#book({ side, price: at, quantity: steps(quantity), fee, time }, { book, reduceOnly })
  }

  mark(price: number): void {
    this.ledger.mark(this.instrument, this.tick(price))
  }

  /** Settles funding at a mark price on every position. */
  settle(rate: string, price: number): void {
    const at = this.tick(price)
    for (const { book, position } of [...this.ledger.contracts.held]) {
      const size = units((notionalOf(this.instrument, at, position.quantity) * rateOf(rate)) / 10n ** 18n)
      const amount = units(position.direction === 'long' ? size : -size)
      this.funding = units(this.funding + amount)
      const payment = { symbol: this.instrument.symbol, book, amount, rate: rateOf(rate), price: at, time: 0 }
      this.ledger.fund(payment)
    }
  }

  /** Takes over what is due at a mark price; returns how many positions that were. */
  liquidate(price: number): number {
    const due = this.ledger.liquidations.due(this.instrument, this.tick(price))
    for (const { book, direction, quantity, price: at, fee } of due)
      this.#book(
        { side: exitSideOf(direction), price: at, quantity, fee, time: 0 },
        { book, reduceOnly: true },
      )
    return due.length
  }

  #book(
    part: Pick<Fill, 'side' | 'price' | 'quantity' | 'fee' | 'time'>,
    { book, reduceOnly }: { readonly book: string | undefined; readonly reduceOnly: boolean },
  ): void {
    const clientOrderId = `order-${this.#count++}`
    const { symbol, quote } = this.instrument
    const { side, quantity } = part
    this.ledger.orders.add(requestOf({ clientOrderId, symbol, book, side, quantity, reduceOnly }))
    this.ledger.orders.update(clientOrderId, 'submitted')
    const fill = {
      ...part,
      id: clientOrderId,
      clientOrderId,
      symbol,
      feeAsset: quote,
      liquidity: 'taker',
    } as const
    this.roundTrips.push(...(this.ledger.book(fill)?.roundTrips ?? []))
  }
}
