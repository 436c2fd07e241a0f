import { bookOf } from '../domain/book-names.ts'
import type { EngineOutput } from '../domain/engine-output.ts'
import { NO_STEPS, priceOf, type Steps, steps } from '../domain/grid.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { Order } from '../domain/order.ts'
import type { OrderRequest } from '../domain/order-request.ts'
import { isWorking } from '../domain/order-status.ts'
import type { Lot } from '../domain/position.ts'
import type { Protection } from '../domain/signal.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type ProtectiveLeg, protectiveLegs } from './protection-prices.ts'

/** Sizes and places one protective order for `quantity` base units; returns its id, or `undefined` if risk denied it. */
export type PlaceLeg = (
  leg: ProtectiveLeg,
  entry: OrderRequest,
  quantity: Steps,
  out: EngineOutput[],
) => string | undefined

interface Bracket {
  readonly entry: OrderRequest
  readonly protection: Protection
  /** Absent until the first fill. */
  legs: readonly PlacedLeg[] | undefined
}

interface PlacedLeg {
  readonly leg: ProtectiveLeg
  /** `undefined` where risk denied the leg, as it does for too small a part of an entry. */
  id: string | undefined
  /** What was held when risk was asked last; it is asked again once more is held. */
  askedFor: Steps
  /** How often the exchange refused it. */
  refusals: number
}

const NO_LOTS: readonly Lot[] = []

/** A leg that the exchange refuses so often is not sent again: asking forever helps nobody. */
const MOST_REFUSALS = 3

/**
 * The protective orders of one desk's entries. After every fill, `sync` makes each leg's open quantity equal to
 * what is still held of its entry; the legs of an entry cancel each other by that rule alone.
 */
export class Brackets {
  readonly #instrument: Instrument
  readonly #ledger: Ledger
  readonly #placeLeg: PlaceLeg
  /** A list: there are few, and a map would have to hash every id. */
  readonly #brackets: Bracket[] = []

  constructor(instrument: Instrument, ledger: Ledger, placeLeg: PlaceLeg) {
    this.#instrument = instrument
    this.#ledger = ledger
    this.#placeLeg = placeLeg
  }

  /** Protects what an entry will hold. */
  attach(entry: OrderRequest): void {
    if (entry.protection === undefined) return
    this.#brackets.push({ entry, protection: entry.protection, legs: undefined })
  }

  /** Places, resizes and cancels protective orders until they match what is held. */
  sync(out: EngineOutput[]): void {
    let index = 0
    while (index < this.#brackets.length) {
      const bracket = this.#brackets[index] as Bracket // below the length
      const held = this.#heldOf(bracket.entry)
      if (held > 0) this.#cover(bracket, held, out)
      else if (this.#isReleased(bracket, out)) {
        this.#brackets.splice(index, 1)
        continue
      }
      index++
    }
  }

  #heldOf(entry: OrderRequest): Steps {
    let held = 0
    for (const lot of this.#ledger.position(bookOf(entry))?.lots ?? NO_LOTS) {
      if (lot.clientOrderId === entry.clientOrderId) held += lot.quantity
    }
    return steps(held)
  }

  #cover(bracket: Bracket, held: Steps, out: EngineOutput[]): void {
    bracket.legs ??= this.#legsOf(bracket).map(leg => ({
      leg,
      id: undefined,
      askedFor: NO_STEPS,
      refusals: 0,
    }))
    for (const placed of bracket.legs) {
      const order = placed.id === undefined ? undefined : this.#ledger.orders.get(placed.id)
      if (order !== undefined && isWorking(order.status)) this.#resize(order, held, out)
      else if (this.#isWanted(placed, order, held)) {
        placed.askedFor = held
        placed.id = this.#placeLeg(placed.leg, bracket.entry, held, out)
      }
    }
  }

  /** A leg that ended while something is still held (refused, or filled in part) leaves nothing unprotected. */
  #isWanted(placed: PlacedLeg, order: Order | undefined, held: Steps): boolean {
    if (order?.status === 'rejected') placed.refusals++
    return placed.id === undefined ? held > placed.askedFor : placed.refusals < MOST_REFUSALS
  }

  #legsOf({ entry, protection }: Bracket): readonly ProtectiveLeg[] {
    const lots = this.#ledger.position(bookOf(entry))?.lots ?? []
    const own = lots.filter(lot => lot.clientOrderId === entry.clientOrderId)
    const quantity = own.reduce((sum, lot) => sum + lot.quantity, 0)
    const cost = own.reduce((sum, lot) => sum + priceOf(this.#instrument, lot.price) * lot.quantity, 0)
    const direction = entry.side === 'buy' ? 'long' : 'short'
    return protectiveLegs(protection, direction, cost / quantity)
  }

  #resize(order: Order, held: Steps, out: EngineOutput[]): void {
    const id = order.request.clientOrderId
    const quantity = steps(order.filledQuantity + held)
    if (quantity === order.request.quantity) return
    this.#ledger.orders.resize(id, quantity)
    out.push({ type: 'resizeOrder', clientOrderId: id, symbol: this.#instrument.symbol, quantity })
  }

  /** Cancels the legs of an entry of which nothing is held, and says whether the entry is over too. */
  #isReleased(bracket: Bracket, out: EngineOutput[]): boolean {
    for (const { id } of bracket.legs ?? []) {
      const order = id === undefined ? undefined : this.#ledger.orders.get(id)
      if (id !== undefined && order !== undefined && isWorking(order.status)) {
        out.push({ type: 'cancelOrder', clientOrderId: id, symbol: this.#instrument.symbol })
      }
    }
    const entry = this.#ledger.orders.get(bracket.entry.clientOrderId)
    if (entry === undefined || !isWorking(entry.status)) return true
    bracket.legs = undefined
    return false
  }
}
