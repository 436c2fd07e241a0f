import type { EngineOutput } from '../../domain/events/engine-output.ts'
import { type Instrument, quantityUnit } from '../../domain/instrument.ts'
import { type Amount, add, amountToText, negate, subtract, times, ZERO } from '../../domain/numbers/amount.ts'
import {
  baseAmount,
  NO_STEPS,
  notionalOf,
  priceOf,
  quantityText,
  roundToSteps,
  type Steps,
  steps,
  type Ticks,
  ticks,
  UncountableQuantityError,
} from '../../domain/numbers/grid.ts'
import { AT_MARKET, type OrderTerms } from '../../domain/orders/order-intent.ts'
import { type Direction, entrySideOf, exitSideOf, type Side } from '../../domain/orders/side.ts'
import type { Position } from '../../domain/position.ts'
import { stopLossPrice } from '../../domain/protection-level.ts'
import type { EnterSignal, OrderWish, Protection, Size, TargetSignal } from '../../domain/signal.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { fitAtSlippage, fittingPart } from '../../risk/largest-fit.ts'
import { missedTarget } from '../../risk/missed-target.ts'
import type { SizedDraft } from '../../risk/risk-check.ts'
import { type SizingInput, sizeToBase, sizeToSteps } from '../../risk/sizing.ts'
import { changeToTarget, isMuch, type TargetPosition } from '../../risk/target-sizing.ts'
import { orderSpec, stopOnGrid } from '../../risk/to-grid.ts'
import { uncountable } from '../../risk/uncountable.ts'
import { protectionPriceProblem } from '../brackets/protection-prices.ts'
import type { Exits } from '../orders/exits.ts'
import type { OrderPlacer, UnplacedIntent } from '../orders/order-placer.ts'
import { passedTrigger } from '../orders/passed-trigger.ts'
import { openQuantityOfAll, type WorkingOrders } from '../orders/working-orders.ts'
import type { PositionBooks } from '../position-books.ts'

/** An entry as both `enter` and `target` signals lead to it. */
interface Entry {
  readonly direction: Direction
  readonly order: OrderWish
  readonly protection: Protection
  readonly terms: OrderTerms | undefined
  readonly tag: string | undefined
  readonly expected: SizingInput
  /** Base units; `undefined` if unknown. */
  readonly quantity: Amount | undefined
}

/** The one translation of signals into order intents, for backtest and live alike. */
export class SignalTranslator {
  readonly #instrument: Instrument
  readonly #books: PositionBooks
  readonly #ledger: Ledger
  readonly #orders: WorkingOrders
  readonly #orderPlacer: OrderPlacer
  readonly #exits: Exits
  readonly #defaultSize: Size

  constructor(
    instrument: Instrument,
    books: PositionBooks,
    ledger: Ledger,
    orders: WorkingOrders,
    orderPlacer: OrderPlacer,
    exits: Exits,
    defaultSize: Size,
  ) {
    this.#instrument = instrument
    this.#books = books
    this.#ledger = ledger
    this.#orders = orders
    this.#orderPlacer = orderPlacer
    this.#exits = exits
    this.#defaultSize = defaultSize
  }

  /** Turns an entry or a target into orders. */
  translate(signal: EnterSignal | TargetSignal, out: EngineOutput[]): void {
    if (!this.#orderPlacer.hasPrice && !isFlatTarget(signal)) {
      this.#orderPlacer.denyWithoutPrice(unsized(signal), out)
      return
    }
    try {
      if (signal.type === 'enter') this.#enter(signal, out)
      else this.#target(signal, out)
    } catch (error) {
      this.#refuse(signal, error, out)
    }
  }

  /**
   * Closes a position that points against a market entry, so that the entry opens its full size; resting
   * entries net instead.
   */
  closeOpposite({ direction, order = AT_MARKET, tag }: EnterSignal, out: EngineOutput[]): void {
    if (order.type !== 'market' || !this.#exits.isHoldingAgainst(direction)) return
    this.#exits.close(this.#books.of(direction), { tag }, 1, out)
  }

  /** True if a market entry is done or pending. */
  isEntered(direction: Direction): boolean {
    const book = this.#books.of(direction)
    if (this.#ledger.position(book)?.direction === direction && !this.#exits.isLeaving(book)) return true
    return this.#orders.marketEntries(direction).length > 0
  }

  #enter(signal: EnterSignal, out: EngineOutput[]): void {
    const { direction, order = AT_MARKET, size = this.#defaultSize, tag } = signal
    if (!signal.scaleIn && this.isEntered(direction)) {
      this.#denyBesideRemainder(signal, out)
      return
    }
    this.closeOpposite(signal, out)
    const expected = this.#expectation(order, direction, signal)
    const view = this.#orderPlacer.riskView()
    const quantity = isShareOfEquity(size)
      ? this.#payable(sizeToSteps(size, expected, view), signal, expected.side)
      : sizeToBase(size, expected, view)
    const terms = termsOf(signal)
    this.#open({ direction, order, protection: signal, terms, tag, expected, quantity }, out)
  }

  /** Denies an entry that does nothing because of a position that is too small to be closed. */
  #denyBesideRemainder(signal: EnterSignal, out: EngineOutput[]): void {
    const { direction } = signal
    const position = this.#ledger.position(this.#books.of(direction))
    if (position === undefined || this.#orders.marketEntries(direction).length > 0) return
    const { minQuantity, minNotional, symbol, quote } = this.#instrument
    const notional = notionalOf(this.#instrument, this.#orderPlacer.referencePrice, position.quantity)
    const isShort = position.quantity < minQuantity
    if (!isShort && notional >= minNotional) return
    const held = `${quantityText(this.#instrument, position.quantity)} ${quantityUnit(this.#instrument)}`
    const least = isShort
      ? `${quantityText(this.#instrument, minQuantity)} ${quantityUnit(this.#instrument)}`
      : `${amountToText(minNotional)} ${quote}`
    const message = `The strategy still holds ${held} of ${symbol}, less than the smallest order of ${least}, which cannot be closed: an entry adds to it only with scaleIn.`
    this.#orderPlacer.deny(
      unsized(signal),
      { rule: isShort ? 'minimumVolume' : 'minimumNotional', limit: least, actual: held, message },
      out,
    )
  }

  #target(signal: TargetSignal, out: EngineOutput[]): void {
    const { size, order = AT_MARKET, tag } = signal
    const value = amountIn(size)
    if (value === 0) {
      for (const book of this.#books.all) this.#exits.close(book, signal, 1, out)
      return
    }
    const direction: Direction = value < 0 ? 'short' : 'long'
    const book = this.#books.of(direction)
    const expected = this.#expectation(order, direction, signal)
    // Sized before any close: if sizing fails, the position stays.
    const position = { direction, price: expected.price, ...this.#comingIn(direction) }
    const { change, missed, coarse } = changeToTarget(size, position, this.#orderPlacer.riskView())
    for (const other of this.#books.all) {
      const held = this.#ledger.position(other)
      if (held !== undefined && held.direction !== direction) this.#exits.close(other, signal, 1, out)
    }
    if (coarse !== undefined) this.#orderPlacer.reportMissedTarget(book, coarse, expected.price, out)
    if (missed !== undefined) this.#denyMissed(signal, missed, expected.price, out)
    else if (change < 0n) this.#exits.reduce(book, direction, negate(change), signal, out)
    else if (change > 0n) {
      const quantity = this.#growth(change, position, signal, expected.side)
      if (quantity === undefined) return
      this.#open({ direction, order, protection: signal, terms: undefined, tag, expected, quantity }, out)
    }
  }

  /** Denies a change to a target that is too small for an order, but much of equity. */
  #denyMissed(signal: TargetSignal, missed: Steps, price: Ticks, out: EngineOutput[]): void {
    this.#orderPlacer.deny(unsized(signal), missedTarget(this.#instrument, missed, price), out)
  }

  /**
   * Base to add for a target, as far as the account can pay for and hold it, after the closes for it. Where not even the
   * smallest order fits, it is all of it, which risk denies with the reason, or `undefined` if that is little beside what
   * is held.
   */
  #growth(wanted: Amount, position: TargetPosition, signal: TargetSignal, side: Side): Amount | undefined {
    const view = this.#orderPlacer.riskView()
    const fitting = fittingPart(this.#draft(roundToSteps(this.#instrument, wanted), signal, side), view)
    if (fitting !== undefined) return baseAmount(this.#instrument, fitting)
    return position.held > 0n && !isMuch(wanted, position.price, view) ? undefined : wanted
  }

  /** Base of an entry sized by equity; see `fitAtSlippage`. */
  #payable(wanted: Steps | undefined, signal: EnterSignal, side: Side): Amount | undefined {
    if (wanted === undefined) return undefined
    const draft = this.#draft(wanted, signal, side)
    return baseAmount(this.#instrument, fitAtSlippage(draft, this.#orderPlacer.riskView()))
  }

  /** An order, as sizing sees it. */
  #draft(quantity: Steps, signal: EnterSignal | TargetSignal, side: Side): SizedDraft {
    const { referencePrice } = this.#orderPlacer
    const spec = orderSpec(this.#instrument, side, signal.order ?? AT_MARKET)
    return { side, spec, quantity, reduceOnly: false, referencePrice, protection: signal }
  }

  /** Input of the comparison with a target on a side; resting orders do not count. */
  #comingIn(direction: Direction): Pick<TargetPosition, 'held' | 'toTrade'> {
    const book = this.#books.of(direction)
    const position = this.#ledger.position(book)
    const isHeld = position?.direction === direction
    const entering = openQuantityOfAll(this.#orders.marketEntries(direction))
    const leaving = isHeld ? openQuantityOfAll(this.#orders.marketExits(book)) : NO_STEPS
    let opposite = 0
    for (const name of this.#books.all) {
      const other = this.#ledger.position(name)
      if (other !== undefined && other.direction !== direction) opposite += other.quantity
    }
    const owned = this.#ownedIn(book, direction, position)
    const { fees } = this.#instrument
    const bought = baseAmount(this.#instrument, entering)
    const taken = fees.paidIn === 'received' && direction === 'long' ? times(bought, fees.taker) : ZERO
    const left = baseAmount(this.#instrument, leaving)
    const held = subtract(add(owned, subtract(bought, taken)), left)
    return {
      held: held > 0n ? held : ZERO,
      toTrade: add(add(bought, left), baseAmount(this.#instrument, steps(opposite))),
    }
  }

  /** Base on a side: for a long position including the remainder of fees in base below a step. */
  #ownedIn(book: string, direction: Direction, position: Position | undefined): Amount {
    if (position !== undefined && position.direction !== direction) return ZERO
    if (direction === 'long') return this.#ledger.ownedBase(book)
    return position === undefined ? ZERO : baseAmount(this.#instrument, position.quantity)
  }

  #open({ direction, order, protection, terms, tag, expected, quantity }: Entry, out: EngineOutput[]): void {
    const entryPrice = priceOf(this.#instrument, expected.price)
    const unplaced: UnplacedIntent = {
      book: this.#books.of(direction),
      side: expected.side,
      purpose: 'entry',
      plan: order,
      quantity: quantity ?? ZERO,
      reduceOnly: false,
      protection: protectionOf(protection),
      protects: undefined,
      terms,
      tag,
    }
    const problem = protectionPriceProblem(protection, direction, entryPrice)
    const passed = passedTrigger(this.#instrument, order, expected.side, this.#orderPlacer.referencePrice)
    if (passed !== undefined) this.#orderPlacer.deny(unplaced, passed, out)
    else if (problem !== undefined) {
      this.#orderPlacer.deny(
        unplaced,
        { rule: 'protection', limit: `beyond ${entryPrice}`, actual: problem, message: problem },
        out,
      )
    } else if (quantity === undefined) {
      const message = 'A size by riskFraction needs a stop-loss away from the entry price.'
      this.#orderPlacer.deny(unplaced, { rule: 'sizing', limit: 'a stop-loss', actual: 'none', message }, out)
    } else this.#orderPlacer.place(unplaced, out)
  }

  /** Fails closed: a size or a price that cannot be computed denies. */
  #refuse(signal: EnterSignal | TargetSignal, error: unknown, out: EngineOutput[]): void {
    if (error instanceof UncountableQuantityError) {
      this.#orderPlacer.deny(unsized(signal), uncountable(this.#instrument, error), out)
      return
    }
    const actual = error instanceof Error ? error.message : String(error)
    const message = `The order could not be sized, so it is denied: ${actual}`
    this.#orderPlacer.deny(
      unsized(signal),
      { rule: 'checkFailed', limit: 'size and price can be computed', actual, message },
      out,
    )
  }

  /** Expected prices of an entry and its stop-loss, as their orders will have them on the grid. */
  #expectation(order: OrderWish, direction: Direction, protection: Protection): SizingInput {
    const side = entrySideOf(direction)
    const price = this.#expectedPrice(order, side)
    const isFraction = typeof protection.stopLoss === 'object'
    const riskPrice = isFraction ? this.#highestPrice(order, side, price) : price
    const stop = stopLossPrice(protection, direction, priceOf(this.#instrument, riskPrice))
    return {
      side,
      price,
      riskPrice,
      stopPrice: stop === undefined ? undefined : stopOnGrid(this.#instrument, exitSideOf(direction), stop),
    }
  }

  /**
   * The highest known price at which a short may be entered, and a stop-loss by fraction lies farthest: that of the
   * market beyond its limit, or that of its stop.
   */
  #highestPrice(order: OrderWish, side: Side, price: Ticks): Ticks {
    const spec = orderSpec(this.#instrument, side, order)
    if (side === 'buy' || (spec.type !== 'limit' && spec.type !== 'stopLimit')) return price
    return ticks(Math.max(price, spec.type === 'limit' ? this.#orderPlacer.referencePrice : spec.stopPrice))
  }

  #expectedPrice(order: OrderWish, side: Side): Ticks {
    const spec = orderSpec(this.#instrument, side, order)
    if (spec.type === 'limit' || spec.type === 'stopLimit') return spec.price
    if (spec.type === 'ifTouched') return spec.triggerPrice
    return spec.type === 'stop' ? spec.stopPrice : this.#orderPlacer.referencePrice
  }
}

/** The protection among the fields of a signal, if it has any. */
function protectionOf({ stopLoss, takeProfit, trailingStop }: Protection): Protection | undefined {
  if (stopLoss === undefined && takeProfit === undefined && trailingStop === undefined) return undefined
  return {
    ...(stopLoss !== undefined && { stopLoss }),
    ...(takeProfit !== undefined && { takeProfit }),
    ...(trailingStop !== undefined && { trailingStop }),
  }
}

/** Terms of an entry besides its prices, if any. */
function termsOf({ expiresAfter, oco, keep }: EnterSignal): OrderTerms | undefined {
  return expiresAfter === undefined && oco === undefined && keep !== true
    ? undefined
    : { expiresAfter, oco, keep }
}

/** True if a size, or its bound, is a fraction of the account's equity. */
function isShareOfEquity(size: Size): boolean {
  return 'equityFraction' in size || ('riskFraction' in size && size.maxEquityFraction !== undefined)
}

/** The order of a signal that cannot be sized. */
function unsized(signal: EnterSignal | TargetSignal): UnplacedIntent {
  const { order = AT_MARKET, tag } = signal
  const direction = signal.type === 'enter' ? signal.direction : amountIn(signal.size) < 0 ? 'short' : 'long'
  return {
    side: entrySideOf(direction),
    purpose: 'entry',
    plan: order,
    quantity: ZERO,
    reduceOnly: false,
    tag,
  }
}

/** True if a signal only closes a position. */
function isFlatTarget(signal: EnterSignal | TargetSignal): boolean {
  return signal.type === 'target' && amountIn(signal.size) === 0
}

/** The number of a size, in its own unit. */
function amountIn(size: TargetSignal['size']): number {
  if ('base' in size) return size.base
  return 'quote' in size ? size.quote : size.equityFraction
}
