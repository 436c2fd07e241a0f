import type { EngineOutput } from '../../domain/events/engine-output.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, smaller } from '../../domain/numbers/amount.ts'
import {
  baseAmount,
  NO_STEPS,
  quantityText,
  roundToSteps,
  type Steps,
  steps,
} from '../../domain/numbers/grid.ts'
import { type PartRange, partFrom, stepsOfPart } from '../../domain/numbers/part-range.ts'
import { AT_MARKET, type Purpose } from '../../domain/orders/order-intent.ts'
import { mostInParts, partSizes } from '../../domain/orders/order-parts.ts'
import { type Direction, exitSideOf } from '../../domain/orders/side.ts'
import type { ExitSignal } from '../../domain/signal.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Refusal } from '../../risk/risk-check.ts'
import type { PositionBooks } from '../position-books.ts'
import type { OrderPlacer, UnplacedIntent } from './order-placer.ts'
import { HOLD, type UnfinishedExits } from './unfinished-exits.ts'
import { openQuantityOfAll, type WorkingOrders } from './working-orders.ts'

/** Terms of a close, shared by `exit` and `target` signals. */
type ExitTerms = Pick<ExitSignal, 'order' | 'expiresAfter'> & { readonly tag?: string | undefined }

/** An exit before it gets identity, time and reference price. */
type ExitWish = UnplacedIntent & { readonly book: string }

/**
 * Closes the position of one strategy on one instrument, fully or in parts, never more than the position less
 * pending closes.
 */
export class Exits {
  readonly #instrument: Instrument
  readonly #books: PositionBooks
  readonly #ledger: Ledger
  readonly #orders: WorkingOrders
  readonly #orderPlacer: OrderPlacer
  readonly #unfinished: UnfinishedExits
  /** Sum of the fractions of each book that exits of the current list rest for. */
  readonly #closedParts = new Map<string, number>()

  constructor(
    instrument: Instrument,
    books: PositionBooks,
    ledger: Ledger,
    orders: WorkingOrders,
    orderPlacer: OrderPlacer,
    unfinished: UnfinishedExits,
  ) {
    this.#instrument = instrument
    this.#books = books
    this.#ledger = ledger
    this.#orders = orders
    this.#orderPlacer = orderPlacer
    this.#unfinished = unfinished
  }

  /** True while a position is held. */
  get isHolding(): boolean {
    return this.#books.all.some(book => this.#ledger.position(book) !== undefined)
  }

  /** True if an open position points against a direction and would net with it. */
  isHoldingAgainst(direction: Direction): boolean {
    const position = this.#ledger.position(this.#books.of(direction))
    return position !== undefined && position.direction !== direction
  }

  /**
   * Closes open positions (of a direction only, if given), or a fraction of them, less the quantity of
   * pending exits.
   */
  exit(signal: ExitSignal, out: EngineOutput[]): void {
    const { direction, fraction = 1 } = signal
    for (const book of this.#books.all) {
      const position = this.#ledger.position(book)
      if (direction === undefined || position?.direction === direction)
        this.close(book, signal, fraction, out)
    }
  }

  /** Closes the position at market, less the quantity of pending and unfinished market exits; resting exits do not count. */
  flatten(purpose: Purpose, out: EngineOutput[]): void {
    for (const book of this.#books.all) {
      const position = this.#ledger.position(book)
      const leaving = this.#atMarket(book)
      if (position === undefined || position.quantity <= leaving) continue
      const quantity = baseAmount(this.#instrument, steps(position.quantity - leaving))
      const side = exitSideOf(position.direction)
      this.#place({ book, side, purpose, plan: AT_MARKET, quantity, reduceOnly: true }, out)
    }
  }

  /** Begins a list of signals, whose resting exits are parts of one position. */
  beginList(): void {
    if (this.#closedParts.size > 0) this.#closedParts.clear()
  }

  /** Closes a fraction of what an unfinished exit leaves of a position, less the quantity of pending exits. */
  close(book: string, closing: ExitTerms, fraction: number, out: EngineOutput[]): void {
    const position = this.#ledger.position(book)
    if (position === undefined) return
    const rests = closing.order !== undefined && closing.order.type !== 'market'
    const part = rests ? this.#nextPart(book, fraction) : { from: 0, to: fraction }
    const remaining = steps(position.quantity - this.#unfinished.waitingOf(book))
    const wanted = baseAmount(this.#instrument, stepsOfPart(part, remaining))
    this.reduce(book, position.direction, wanted, closing, out)
  }

  /** The part of a position that follows the resting exits of the same list: together they round as one. */
  #nextPart(book: string, fraction: number): PartRange {
    const part = partFrom(this.#closedParts.get(book) ?? 0, fraction)
    this.#closedParts.set(book, part.to)
    return part.to > 1 ? { from: 0, to: fraction } : part
  }

  /**
   * Closes `quantity` (base units) of a position in a direction, at most the remainder. At market, that is
   * the quantity without a pending or unfinished market exit: resting exits are canceled. A resting exit gets the quantity
   * that no other exit closes; if that is zero, it is denied.
   */
  reduce(
    book: string,
    direction: Direction,
    quantity: Amount,
    { order, tag, expiresAfter }: ExitTerms,
    out: EngineOutput[],
  ): void {
    const position = this.#ledger.position(book)
    const plan = order ?? AT_MARKET
    const held = position?.quantity ?? NO_STEPS
    const atMarket = this.#atMarket(book)
    if (held <= atMarket) return
    const taken = plan.type === 'market' ? atMarket : this.#leaving(book)
    const left = baseAmount(this.#instrument, steps(Math.max(0, held - taken)))
    const wish: ExitWish = {
      book,
      side: exitSideOf(direction),
      purpose: 'exit',
      plan,
      quantity: smaller(quantity, left),
      reduceOnly: true,
      protection: undefined,
      protects: undefined,
      terms: expiresAfter && { expiresAfter },
      tag,
    }
    if (left > 0n) this.#place(wish, out)
    else this.#orderPlacer.deny({ ...wish, quantity }, nothingLeft(this.#instrument, held), out)
  }

  /** Places an exit; of one at market only the part that the account can pay for, and the rest is denied. */
  #place(wish: ExitWish, out: EngineOutput[]): void {
    const quantity = roundToSteps(this.#instrument, wish.quantity)
    const payable = wish.plan.type === 'market' ? this.#orderPlacer.payable(wish.side, quantity) : quantity
    if (payable === quantity) {
      this.#placeAll(wish, quantity, out)
      return
    }
    this.#placeAll({ ...wish, quantity: baseAmount(this.#instrument, payable) }, payable, out)
    const rest = baseAmount(this.#instrument, steps(quantity - payable))
    this.#orderPlacer.denyUnpayable({ ...wish, quantity: rest }, out)
  }

  /** Places one order, or several for a quantity beyond the largest that one order can close in parts. */
  #placeAll(wish: ExitWish, quantity: Steps, out: EngineOutput[]): void {
    const most = mostInParts(this.#instrument.maxQuantity)
    if (quantity <= most) {
      this.#placeOne(wish, quantity, out)
      return
    }
    for (const size of partSizes(quantity, steps(most)))
      this.#placeOne({ ...wish, quantity: baseAmount(this.#instrument, size) }, size, out)
  }

  /** Places one order; one at market that a hold denies waits for its end. */
  #placeOne(wish: ExitWish, quantity: Steps, out: EngineOutput[]): void {
    if (this.#orderPlacer.place(wish, out) !== undefined || wish.plan.type !== 'market') return
    const denied = out.at(-1)
    if (denied?.type === 'denied' && denied.denial.rule === HOLD) this.#unfinished.hold(wish, quantity)
  }

  /** Steps of a book that market exits will close, those that wait to be sent again included. */
  #atMarket(book: string): Steps {
    return steps(openQuantityOfAll(this.#orders.marketExits(book)) + this.#unfinished.waitingOf(book))
  }

  /** Steps of a book that working and unfinished exits will close (protective orders excluded). */
  #leaving(book: string): Steps {
    return steps(openQuantityOfAll(this.#orders.exitsFrom(book)) + this.#unfinished.waitingOf(book))
  }

  /** True if working and unfinished exits close the whole position of a book. */
  isLeaving(book: string): boolean {
    const held: Steps | 0 = this.#ledger.position(book)?.quantity ?? 0
    return this.#leaving(book) >= held
  }
}

/** Refusal of a resting exit if other exits already close the whole position. */
function nothingLeft(instrument: Instrument, held: Steps): Refusal {
  const message = `The exits that rest close all that is held (${quantityText(instrument, held)} ${instrument.base}) already; exit at market, or in full, to take their place.`
  return { rule: 'nothingLeft', limit: '0', actual: quantityText(instrument, held), message }
}
