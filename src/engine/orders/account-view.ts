import { rulesOf } from '../../domain/account-rules.ts'
import { bookOf } from '../../domain/book-names.ts'
import type { TradingHold, TradingMode } from '../../domain/events/trading-hold.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, add, subtract, ZERO } from '../../domain/numbers/amount.ts'
import { steps } from '../../domain/numbers/grid.ts'
import { type Order, openQuantityOf } from '../../domain/orders/order.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { buyBackCost } from '../../risk/own-funds.ts'
import type { OwnMarketView, RiskMarketView, RiskView } from '../../risk/risk-view.ts'
import type { PositionBooks } from '../position-books.ts'
import type { StrategyRisk } from '../risk/strategy-risk.ts'

/** The ledger as seen by risk: always of the present moment, and computed on access. */
export class AccountView implements RiskView {
  readonly instrument: Instrument
  readonly #books: PositionBooks
  readonly #ledger: Ledger
  readonly #risk: StrategyRisk

  constructor(instrument: Instrument, books: PositionBooks, ledger: Ledger, risk: StrategyRisk) {
    this.instrument = instrument
    this.#books = books
    this.#ledger = ledger
    this.#risk = risk
  }

  get equity(): Amount {
    return this.#ledger.equity(this.instrument.quote)
  }

  get freeQuote(): Amount {
    const { quote, accountType } = this.instrument
    const { boundBy, canBeShort } = rulesOf(this.instrument)
    const free = this.#ledger.free(quote, accountType)
    if (boundBy === 'margin') return add(free, this.#comingFree())
    return boundBy === 'balance' && canBeShort ? subtract(free, buyBackCost(this)) : free
  }

  get ownedBase(): Amount {
    return this.#ledger.balances.baseOf(this.instrument)
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

  /**
   * Margin that pending market exits will free, less their losses and fees: a replacing position can use it.
   */
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

  get own(): OwnMarketView {
    const held = { long: 0, short: 0 }
    for (const book of this.#books.all) {
      const position = this.#ledger.position(book)
      if (position !== undefined) held[position.direction] += position.quantity
    }
    const { instrument } = this
    return { instrument, books: this.#books.all, price: this.#ledger.markOf(instrument.symbol), ...held }
  }

  get working(): readonly Order[] {
    return this.#ledger.orders.working
  }

  get markets(): readonly RiskMarketView[] {
    return this.#ledger.instruments.map(instrument => ({
      instrument,
      price: this.#ledger.markOf(instrument.symbol),
      long: this.#ledger.grossQuantity(instrument.symbol, 'long'),
      short: this.#ledger.grossQuantity(instrument.symbol, 'short'),
    }))
  }

  get mode(): TradingMode {
    return this.#risk.mode
  }

  get holds(): readonly TradingHold[] {
    return this.#risk.holds
  }

  get isTradable(): boolean {
    return this.#risk.isTradable
  }
}
