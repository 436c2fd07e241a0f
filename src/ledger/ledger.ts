import { type Amount, add, amountToNumber, subtract, ZERO } from '../domain/amount.ts'
import type { Fill } from '../domain/fill.ts'
import { type Ticks, worthOf } from '../domain/grid.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { Order } from '../domain/order.ts'
import type { Position } from '../domain/position.ts'
import type { RoundTrip } from '../domain/round-trip.ts'
import { InvariantError } from '../domain/sluice-error.ts'
import { Balances } from './balances.ts'
import { bookFill, EMPTY_HOLDING, type Holding } from './fill-position.ts'
import { Orders } from './orders.ts'
import { reservedBy } from './reservation.ts'

/** What booking a fill led to. */
export interface Booking {
  readonly order: Order
  readonly roundTrips: readonly RoundTrip[]
}

/** The account as our own orders and fills make it: orders, positions, balances, equity. */
export class Ledger {
  readonly orders = new Orders()
  readonly balances: Balances
  readonly #instruments: ReadonlyMap<string, Instrument>
  readonly #holdings = new Map<string, Holding>()
  /** Latest price by symbol, for equity. */
  readonly #marks = new Map<string, { instrument: Instrument; price: Ticks }>()
  #estimate: { quote: number; base: number } | undefined

  constructor(instruments: Iterable<Instrument>, balances: Iterable<readonly [string, Amount]>) {
    this.#instruments = new Map([...instruments].map(instrument => [instrument.symbol, instrument]))
    this.balances = new Balances(balances)
  }

  /** The instrument of a symbol; throws `InvariantError` for one that is not traded. */
  instrument(symbol: string): Instrument {
    const instrument = this.#instruments.get(symbol)
    if (instrument === undefined) throw new InvariantError(`No instrument has the symbol ${symbol}.`)
    return instrument
  }

  /** What is held of an instrument; `undefined` when flat. */
  position(symbol: string): Position | undefined {
    return this.#holdings.get(symbol)?.position
  }

  /** Books a fill on order, position and balances; `undefined` for a fill that was booked before. */
  book(fill: Fill): Booking | undefined {
    const order = this.orders.fill(fill)
    if (order === undefined) return undefined
    const instrument = this.instrument(fill.symbol)
    const holding = this.#holdings.get(fill.symbol) ?? EMPTY_HOLDING
    const { position, dust, roundTrips } = bookFill(instrument, holding, fill, order.request)
    this.#holdings.set(fill.symbol, { position, dust })
    this.balances.book(instrument, fill)
    this.#estimate = undefined
    return { order, roundTrips }
  }

  /** Takes over what the exchange reports of one asset. */
  setBalance(asset: string, amount: Amount): void {
    this.balances.set(asset, amount)
    this.#estimate = undefined
  }

  /** Notes the latest price of an instrument. */
  mark(instrument: Instrument, price: Ticks): void {
    const mark = this.#marks.get(instrument.symbol)
    if (mark === undefined) this.#marks.set(instrument.symbol, { instrument, price })
    else mark.price = price
  }

  /** Exact equity in an instrument's quote asset: its balance plus every marked base at its latest price. */
  equity(quote: string): Amount {
    let equity = this.balances.of(quote)
    for (const { instrument, price } of this.#marks.values()) {
      if (instrument.quote !== quote) continue
      equity = add(equity, worthOf(instrument, price, this.balances.of(instrument.base)))
    }
    return equity
  }

  /** Equity of a one-instrument account with its base at `price`, as a double for curves: no allocation, no bigint between fills. */
  equityAt(instrument: Instrument, price: number): number {
    this.#estimate ??= {
      quote: amountToNumber(this.balances.of(instrument.quote)),
      base: amountToNumber(this.balances.of(instrument.base)),
    }
    return this.#estimate.quote + this.#estimate.base * price
  }

  /** What working orders may still take of an asset. */
  reserved(asset: string): Amount {
    let reserved = ZERO
    for (const order of this.orders.working.values()) {
      reserved = add(reserved, reservedBy(this.instrument(order.request.symbol), order, asset))
    }
    return reserved
  }

  /** What new orders may use of an asset. */
  free(asset: string): Amount {
    return subtract(this.balances.of(asset), this.reserved(asset))
  }
}
