import type { Amount } from '../domain/amount.ts'
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
    return this.#ledger.free(this.instrument.quote)
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
}
