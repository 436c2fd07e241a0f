import type { FundingPayment } from '../domain/events/funding-payment.ts'
import type { Instrument } from '../domain/instrument.ts'
import { type Amount, add, negate, smaller, subtract, ZERO } from '../domain/numbers/amount.ts'
import { baseAmount, type Steps, steps } from '../domain/numbers/grid.ts'
import type { Fill } from '../domain/orders/fill.ts'
import type { Direction } from '../domain/orders/side.ts'
import type { Balances } from './balances.ts'
import { initialMargin, orderFee } from './contract-margin.ts'
import {
  type ContractPosition,
  closed,
  type HeldContracts,
  isIsolated,
  type MarkOf,
  opened,
  profitAt,
  share,
} from './contract-position.ts'
import { type CrossState, crossState } from './cross-state.ts'

/** All positions as plain data. */
export interface ContractsState {
  readonly held: readonly {
    readonly book: string
    readonly symbol: string
    readonly position: ContractPosition
  }[]
  /** Losses borne by the exchange, by quote. */
  readonly borne: readonly (readonly [string, Amount])[]
}

/** Positions of a futures account. Its wallet is the balance of the quote, isolated margins included. */
export class Contracts {
  readonly #balances: Balances
  readonly #markOf: MarkOf
  /** By book. */
  readonly #held = new Map<string, HeldContracts>()
  /** By quote. */
  readonly #borne = new Map<string, Amount>()

  constructor(balances: Balances, markOf: MarkOf) {
    this.#balances = balances
    this.#markOf = markOf
  }

  /** Every open position, in order of its first contract. */
  get held(): Iterable<HeldContracts> {
    return this.#held.values()
  }

  /** True without positions. */
  get areNone(): boolean {
    return this.#held.size === 0
  }

  of(book: string): ContractPosition | undefined {
    return this.#held.get(book)?.position
  }

  /** The open position of a book, if it was open at a time, ms UTC. */
  heldAt(book: string, time: number): ContractPosition | undefined {
    const position = this.of(book)
    return position?.openedAt !== undefined && time < position.openedAt ? undefined : position
  }

  /** All state of later results. */
  snapshot(): ContractsState {
    const held = Array.from(this.#held.values(), ({ book, instrument, position }) => ({
      book,
      symbol: instrument.symbol,
      position,
    }))
    return { held, borne: [...this.#borne] }
  }

  /** Restores a snapshot; only before the first booking. */
  restore({ held, borne }: ContractsState, instrumentOf: (symbol: string) => Instrument): void {
    for (const { book, symbol, position } of held)
      this.#held.set(book, { book, instrument: instrumentOf(symbol), position })
    for (const [quote, amount] of borne) this.#borne.set(quote, amount)
  }

  /** Books a fill on position and wallet: against the position it closes first. `kept` as in `closed`. */
  book(book: string, instrument: Instrument, fill: Fill, kept?: Amount): void {
    const position = this.of(book)
    const closes = position !== undefined && position.direction !== directionOf(fill)
    if (!closes) {
      this.#open(book, instrument, fill)
      return
    }
    const closing = steps(Math.min(position.quantity, fill.quantity))
    const fee = share(fill.fee, closing, fill.quantity)
    this.#close(book, instrument, position, { ...fill, quantity: closing, fee }, kept)
    const quantity = steps(fill.quantity - closing)
    if (quantity > 0) this.#open(book, instrument, { ...fill, quantity, fee: subtract(fill.fee, fee) })
  }

  /**
   * Books funding on the wallet and on the margin of its isolated position. If that position is gone by the
   * time its funding is known, only the wallet pays: another position may be open in its place.
   */
  fund({ book, amount, time }: FundingPayment, instrument: Instrument): void {
    this.#receive(instrument.quote, negate(amount))
    const position = this.heldAt(book, time)
    if (position !== undefined && isIsolated(instrument))
      this.#put(book, instrument, { ...position, margin: subtract(position.margin, amount) })
  }

  /** Adopts the exchange's margin of an isolated position; the wallet, which includes it, stays. */
  setMargin(book: string, margin: Amount): void {
    const held = this.#held.get(book)
    if (held !== undefined) this.#put(book, held.instrument, { ...held.position, margin })
  }

  /** Adopts the exchange's notional of a position at its entry prices, in quote. */
  setCost(book: string, cost: Amount): void {
    const held = this.#held.get(book)
    if (held !== undefined) this.#put(book, held.instrument, { ...held.position, cost })
  }

  /** Profit of all positions of a quote at the mark prices, fees aside. */
  unrealized(quote: string, markOf = this.#markOf): Amount {
    let sum = ZERO
    for (const held of this.#held.values()) {
      if (held.instrument.quote === quote) sum = add(sum, this.profitOf(held, markOf))
    }
    return sum
  }

  /**
   * Part of a wallet blocked by positions: isolated margins, and the initial margin and unrealised loss of
   * cross positions. Unrealised profits back no order.
   */
  taken(quote: string): Amount {
    if (this.areNone) return ZERO
    const { initialMargin: margin, unrealized } = this.cross(quote)
    return subtract(add(this.#isolated(quote), margin), smaller(ZERO, unrealized))
  }

  /**
   * Amount that a partial close at the mark price frees for orders: its margin, less the fee, and less an
   * unrealised loss so far borne only by an isolated margin.
   */
  freedBy(book: string, closing: Steps): Amount {
    const held = this.#held.get(book)
    if (held === undefined) return ZERO
    const { instrument, position } = held
    const cost = share(position.cost, closing, position.quantity)
    const fee = orderFee(instrument, cost)
    if (!isIsolated(instrument)) return subtract(initialMargin(instrument, cost), fee)
    const loss = smaller(ZERO, share(this.profitOf(held), closing, position.quantity))
    return subtract(add(share(position.margin, closing, position.quantity), loss), fee)
  }

  /** Losses that the exchange has borne so far: those beyond the money behind a position. */
  borneLoss(quote: string): Amount {
    return this.#borne.get(quote) ?? ZERO
  }

  /** The cross positions of a quote at the mark prices, that of one instrument given instead. */
  cross(quote: string, markOf: MarkOf = this.#markOf): CrossState {
    const held = [...this.#held.values()].filter(
      ({ instrument }) => instrument.quote === quote && !isIsolated(instrument),
    )
    return crossState(held, subtract(this.#balances.of(quote), this.#isolated(quote)), markOf)
  }

  /** Proceeds of shorts less cost of longs, in quote: the value of contracts besides their size. */
  soldLessCost(quote: string): Amount {
    let sum = ZERO
    for (const { instrument, position } of this.#held.values()) {
      if (instrument.quote !== quote) continue
      sum = position.direction === 'long' ? subtract(sum, position.cost) : add(sum, position.cost)
    }
    return sum
  }

  /** Base of all contracts of an instrument; negative is short. */
  sizeOf({ symbol }: Instrument): Amount {
    let size = ZERO
    for (const { instrument, position } of this.#held.values()) {
      if (instrument.symbol !== symbol) continue
      const base = baseAmount(instrument, position.quantity)
      size = position.direction === 'long' ? add(size, base) : subtract(size, base)
    }
    return size
  }

  /** Profit of a position at its mark price, without fees; zero before there is one. */
  profitOf({ instrument, position }: HeldContracts, markOf = this.#markOf): Amount {
    const mark = markOf(instrument)
    return mark === undefined ? ZERO : profitAt(instrument, position, mark)
  }

  #open(
    book: string,
    instrument: Instrument,
    fill: Pick<Fill, 'side' | 'price' | 'quantity' | 'fee' | 'time'>,
  ): void {
    this.#put(book, instrument, opened(instrument, this.of(book), fill))
    this.#receive(instrument.quote, negate(fill.fee))
  }

  #close(
    book: string,
    instrument: Instrument,
    position: ContractPosition,
    part: Pick<Fill, 'price' | 'quantity' | 'fee' | 'time'>,
    kept?: Amount,
  ): void {
    const { position: rest, received, lossShare } = closed(instrument, position, part, kept)
    this.#put(book, instrument, rest)
    this.#receive(instrument.quote, received)
    this.#bear(instrument.quote, lossShare)
    if (!isIsolated(instrument)) this.#coverDebt(instrument.quote)
  }

  #isolated(quote: string): Amount {
    let sum = ZERO
    for (const { instrument, position } of this.#held.values()) {
      if (instrument.quote === quote) sum = add(sum, position.margin)
    }
    return sum
  }

  #put(book: string, instrument: Instrument, position: ContractPosition | undefined): void {
    if (position === undefined) this.#held.delete(book)
    else this.#held.set(book, { book, instrument, position })
  }

  #receive(quote: string, amount: Amount): void {
    this.#balances.set(quote, add(this.#balances.of(quote), amount))
  }

  /**
   * Without a cross position left to cover a negative wallet with profit, the exchange pays the shortfall.
   */
  #coverDebt(quote: string): void {
    const missing = subtract(this.#isolated(quote), this.#balances.of(quote))
    if (missing > ZERO && this.cross(quote).held.length === 0) this.#bear(quote, missing)
  }

  #bear(quote: string, loss: Amount): void {
    if (loss === ZERO) return
    this.#receive(quote, loss)
    this.#borne.set(quote, add(this.borneLoss(quote), loss))
  }
}

function directionOf({ side }: Pick<Fill, 'side'>): Direction {
  return side === 'buy' ? 'long' : 'short'
}
