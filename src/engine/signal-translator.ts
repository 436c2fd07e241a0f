import { type Amount, absolute, negate, subtract, ZERO } from '../domain/amount.ts'
import type { EngineOutput } from '../domain/engine-output.ts'
import { baseAmount, priceOf, roundToTicks, type Ticks } from '../domain/grid.ts'
import type { Instrument } from '../domain/instrument.ts'
import { AT_MARKET, type OrderTerms } from '../domain/order-intent.ts'
import { type Direction, entrySideOf } from '../domain/side.ts'
import type { EnterSignal, OrderWish, Protection, Size, TargetSignal } from '../domain/signal.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type SizingInput, sizeToBase } from '../risk/sizing.ts'
import type { Closings } from './closings.ts'
import type { DeskBooks } from './desk-books.ts'
import type { OrderDesk, UnplacedIntent } from './order-desk.ts'
import { type OwnOrders, openQuantityOfAll } from './own-orders.ts'
import { protectionProblem, stopLossPrice } from './protection-prices.ts'

/** An entry as both `enter` and `target` signals lead to it. */
interface Entry {
  readonly direction: Direction
  readonly order: OrderWish
  readonly protection: Protection
  readonly terms: OrderTerms | undefined
  readonly tag: string | undefined
  readonly expected: SizingInput
  /** Base units; `undefined` where they cannot be told. */
  readonly quantity: Amount | undefined
}

/** The one translation of signals into order intents, for backtest and live alike. */
export class SignalTranslator {
  readonly #instrument: Instrument
  readonly #books: DeskBooks
  readonly #ledger: Ledger
  readonly #orders: OwnOrders
  readonly #desk: OrderDesk
  readonly #closings: Closings
  readonly #defaultSize: Size

  constructor(
    instrument: Instrument,
    books: DeskBooks,
    ledger: Ledger,
    orders: OwnOrders,
    desk: OrderDesk,
    closings: Closings,
    defaultSize: Size,
  ) {
    this.#instrument = instrument
    this.#books = books
    this.#ledger = ledger
    this.#orders = orders
    this.#desk = desk
    this.#closings = closings
    this.#defaultSize = defaultSize
  }

  /** Turns an entry or a target into orders. */
  translate(signal: EnterSignal | TargetSignal, out: EngineOutput[]): void {
    try {
      if (signal.type === 'enter') this.#enter(signal, out)
      else this.#target(signal, out)
    } catch (error) {
      this.#refuse(signal, error, out)
    }
  }

  /** Closes a position that points against a market entry, so that the entry opens its full size; resting entries net instead. */
  closeOpposite({ direction, order = AT_MARKET, tag }: EnterSignal, out: EngineOutput[]): void {
    if (order.type !== 'market' || !this.#closings.isHoldingAgainst(direction)) return
    this.#closings.close(this.#books.of(direction), { tag }, 1, out)
  }

  /** Whether a market entry is already done or on its way. */
  isEntered(direction: Direction): boolean {
    const book = this.#books.of(direction)
    if (this.#ledger.position(book)?.direction === direction) return !this.#closings.isLeaving(book)
    return this.#orders.marketEntries(direction).length > 0
  }

  #enter(signal: EnterSignal, out: EngineOutput[]): void {
    const { direction, order = AT_MARKET, size = this.#defaultSize, tag } = signal
    if (!signal.scaleIn && this.isEntered(direction)) return
    this.closeOpposite(signal, out)
    const expected = this.#expectation(order, direction, signal)
    const quantity = sizeToBase(size, expected, this.#desk.riskView())
    const terms = termsOf(signal)
    this.#open({ direction, order, protection: signal, terms, tag, expected, quantity }, out)
  }

  #target(signal: TargetSignal, out: EngineOutput[]): void {
    const target = this.#targetOf(signal)
    const size = absolute(target)
    const direction: Direction = target < 0n ? 'short' : 'long'
    const book = this.#books.of(direction)
    for (const other of this.#books.all) if (other !== book) this.#closings.close(other, signal, 1, out)
    const position = this.#ledger.position(book)
    const held = position === undefined ? ZERO : baseAmount(this.#instrument, position.quantity)
    const keeps = position?.direction === direction && size > 0n
    if (position !== undefined && (!keeps || size < held)) {
      this.#closings.reduce(book, position.direction, keeps ? subtract(held, size) : held, signal, out)
    }
    const coming = baseAmount(this.#instrument, openQuantityOfAll(this.#orders.marketEntries(direction)))
    const missing = subtract(keeps ? subtract(size, held) : size, coming)
    if (missing <= 0n) return
    const { order = AT_MARKET, tag } = signal
    const expected = this.#expectation(order, direction, signal)
    this.#open(
      { direction, order, protection: signal, terms: undefined, tag, expected, quantity: missing },
      out,
    )
  }

  /** Signed base units that a target asks for. */
  #targetOf({ size, order = AT_MARKET }: TargetSignal): Amount {
    const value = 'base' in size ? size.base : 'quote' in size ? size.quote : size.equityFraction
    if (value === 0) return ZERO
    const side = value < 0 ? 'sell' : 'buy'
    const price = this.#expectedPrice(order, side)
    const base = sizeToBase(withValue(size, Math.abs(value)), { side, price }, this.#desk.riskView()) ?? ZERO
    return side === 'sell' ? negate(base) : base
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
    const problem = protectionProblem(protection, direction, entryPrice)
    if (problem !== undefined) {
      this.#desk.deny(
        unplaced,
        { rule: 'protection', limit: `beyond ${entryPrice}`, actual: problem, message: problem },
        out,
      )
    } else if (quantity === undefined) {
      const message = 'A size by riskFraction needs a stop-loss away from the entry price.'
      this.#desk.deny(unplaced, { rule: 'sizing', limit: 'a stop-loss', actual: 'none', message }, out)
    } else this.#desk.place(unplaced, out)
  }

  /** Fails closed: a size or a price that cannot be computed denies. */
  #refuse({ order = AT_MARKET }: EnterSignal | TargetSignal, error: unknown, out: EngineOutput[]): void {
    const unplaced = {
      side: 'buy',
      purpose: 'entry',
      plan: order,
      quantity: ZERO,
      reduceOnly: false,
    } as const
    const actual = error instanceof Error ? error.message : String(error)
    const message = `The order could not be sized, so it is denied: ${actual}`
    this.#desk.deny(
      unplaced,
      { rule: 'checkFailed', limit: 'size and price can be computed', actual, message },
      out,
    )
  }

  /** Where an entry and its stop-loss are expected to trade. */
  #expectation(order: OrderWish, direction: Direction, protection: Protection): SizingInput {
    const side = entrySideOf(direction)
    const price = this.#expectedPrice(order, side)
    const stop = stopLossPrice(protection, direction, priceOf(this.#instrument, price))
    return {
      side,
      price,
      stopPrice: stop === undefined ? undefined : roundToTicks(this.#instrument, stop, 'nearest'),
    }
  }

  #expectedPrice(order: OrderWish, side: 'buy' | 'sell'): Ticks {
    const rounding = side === 'buy' ? 'down' : 'up'
    if (order.type === 'limit' || order.type === 'stopLimit')
      return roundToTicks(this.#instrument, order.price, rounding)
    if (order.type === 'ifTouched') return roundToTicks(this.#instrument, order.triggerPrice, rounding)
    if (order.type === 'stop') return roundToTicks(this.#instrument, order.stopPrice, rounding)
    return this.#desk.referencePrice
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

/** What an entry is told beside its prices, if anything. */
function termsOf({ expiresAfter, oco, keep }: EnterSignal): OrderTerms | undefined {
  return expiresAfter === undefined && oco === undefined && keep !== true
    ? undefined
    : { expiresAfter, oco, keep }
}

function withValue(size: TargetSignal['size'], value: number): Size {
  if ('base' in size) return { base: value }
  return 'quote' in size ? { quote: value } : { equityFraction: value }
}
