import { type Amount, add, ZERO } from '../domain/amount.ts'
import { bookOf } from '../domain/book-names.ts'
import { steps } from '../domain/grid.ts'
import type { Instrument } from '../domain/instrument.ts'
import { openQuantityOf } from '../domain/order.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { RiskView } from '../risk/risk-view.ts'

/** The ledger as risk sees it: always of the present moment, and computed only as far as somebody asks. */
export class AccountView implements RiskView {
  readonly instrument: Instrument
  readonly #ledger: Ledger

  constructor(instrument: Instrument, ledger: Ledger) {
    this.instrument = instrument
    this.#ledger = ledger
  }

  get equity(): Amount {
    return this.#ledger.equity(this.instrument.quote)
  }

  get freeQuote(): Amount {
    const free = this.#ledger.free(this.instrument.quote)
    return this.instrument.futures === undefined ? free : add(free, this.#comingFree())
  }

  get ownedBase(): Amount {
    return this.#ledger.balances.of(this.instrument.base)
  }

  get projectedPosition(): number {
    const { symbol } = this.instrument
    let projected = this.#ledger.netQuantity(symbol)
    for (const order of this.#ledger.orders.working) {
      const { request } = order
      if (request.symbol !== symbol || request.spec.type !== 'market') continue
      projected += request.side === 'buy' ? openQuantityOf(order) : -openQuantityOf(order)
    }
    return projected
  }

  /** Margin that exits at market on their way give back, less their losses and fees: what replaces a position can count on it. */
  #comingFree(): Amount {
    const { symbol } = this.instrument
    let coming = ZERO
    const left = new Map<string, number>()
    for (const order of this.#ledger.orders.working) {
      const { request } = order
      if (request.symbol !== symbol || !request.reduceOnly || request.spec.type !== 'market') continue
      const book = bookOf(request)
      const held = left.get(book) ?? this.#ledger.contracts.of(book)?.quantity ?? 0
      const closing = Math.min(held, openQuantityOf(order))
      left.set(book, held - closing)
      coming = add(coming, this.#ledger.contracts.freedBy(book, steps(closing)))
    }
    return coming
  }
}
