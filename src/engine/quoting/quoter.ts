import { rulesOf } from '../../domain/account-rules.ts'
import type { EngineOutput } from '../../domain/events/engine-output.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { ZERO } from '../../domain/numbers/amount.ts'
import { baseAmount, notionalOf, priceOf, type Steps, steps, type Ticks } from '../../domain/numbers/grid.ts'
import type { Order } from '../../domain/orders/order.ts'
import { AT_MARKET } from '../../domain/orders/order-intent.ts'
import { isWorking } from '../../domain/orders/order-status.ts'
import type { QuotesSignal } from '../../domain/signal.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { ClosableQuantity } from '../orders/closable-quantity.ts'
import type { OrderPlacer, UnplacedIntent } from '../orders/order-placer.ts'
import type { Decision } from '../orders/recent-decisions.ts'
import type { UnfinishedExits } from '../orders/unfinished-exits.ts'
import { idsOf, type WorkingOrders } from '../orders/working-orders.ts'
import type { PositionBooks } from '../position-books.ts'
import { declaredQuotes } from './declared-quotes.ts'
import {
  copyOfSet,
  type DeclaredQuote,
  emptySet,
  isIdle,
  isSameSignal,
  noteDenial,
  noteRefusal,
  type QuoteSet,
  takeMatching,
  takeOff,
  type WaitingQuote,
} from './quote-set.ts'

/** Parts of a quoter. */
export interface QuoterOptions {
  readonly instrument: Instrument
  readonly books: PositionBooks
  readonly ledger: Ledger
  readonly orders: WorkingOrders
  readonly unfinished: UnfinishedExits
  readonly orderPlacer: OrderPlacer
}

/** A set of quotes, and the decision that declared it. */
export interface ActiveQuotes {
  readonly set: QuoteSet
  readonly decision: Decision
}

/**
 * Maintains sets of quotes: computes the missing, excess and matching orders of each declaration. New orders
 * of a side wait until cancels there have completed, less their fills meanwhile; so a declaration never fills
 * more than it states. A quote is placed once for each declaration, whatever its outcome.
 */
export class Quoter {
  readonly #options: QuoterOptions
  readonly #closable: ClosableQuantity
  #kept: ActiveQuotes[] = []

  constructor(options: QuoterOptions) {
    this.#options = options
    const { books, ledger, orders, unfinished } = options
    this.#closable = new ClosableQuantity(books, ledger, orders, unfinished)
  }

  /** Reason that an account cannot hold quotes, as a sentence; `undefined` if it can. */
  get problem(): string | undefined {
    return this.#options.books.areTwo
      ? 'Quotes of both sides net with one position, which positionMode twoWay does not have; use oneWay.'
      : undefined
  }

  /** True if a declaration differs from the one before it. */
  isNews(signal: QuotesSignal<string>): boolean {
    const known = this.#find(signal.name)
    return known === undefined ? signal.quotes.length > 0 : !isSameSignal(known.set.signal, signal)
  }

  /** Adjusts the resting orders to a declaration; `cancel` cancels orders. */
  declare(
    signal: QuotesSignal,
    out: EngineOutput[],
    cancel: (ids: readonly string[], out: EngineOutput[]) => void,
  ): void {
    const quotes = this.#declared(signal, out)
    if (quotes === undefined) return
    this.#kept = this.#kept.filter(({ set }) => !isIdle(set))
    const set = this.#setOf(signal.name)
    set.signal = { ...signal, quotes: [...signal.quotes] }
    set.leaving = set.leaving.filter(order => {
      const known = this.#options.ledger.orders.get(order.clientOrderId)
      order.filled = known?.filledQuantity ?? order.filled
      return known !== undefined && isWorking(known.status)
    })
    const isLeaving = ({ request }: Order) =>
      set.leaving.some(({ clientOrderId }) => clientOrderId === request.clientOrderId)
    const resting = this.#options.orders.quotes(set.name).filter(order => !isLeaving(order))
    set.waiting = this.#missing(set, quotes, resting)
    cancel(idsOf(resting), out)
    const isDeclared = ({ side, price }: Pick<DeclaredQuote, 'side' | 'price'>) =>
      quotes.some(quote => quote.side === side && quote.price === price)
    set.denied = set.denied.filter(isDeclared)
    set.refused = set.refused.filter(isDeclared)
    this.#place(set, out)
  }

  /** Notes orders that are being canceled, for any reason. */
  letGo(ids: readonly string[]): void {
    for (const clientOrderId of ids) {
      const order = this.#options.ledger.orders.get(clientOrderId)
      const name = order?.request.terms?.quotes
      if (order === undefined || name === undefined) continue
      const set = this.#find(name)?.set ?? this.#setOf(name)
      if (set.leaving.some(leaving => leaving.clientOrderId === clientOrderId)) continue
      const { request, filledQuantity: filled } = order
      set.leaving = [...set.leaving, { clientOrderId, side: request.side, filled }]
    }
  }

  /** Places quotes that waited for an order, once it has ended. */
  release(order: Order, out: EngineOutput[]): void {
    const { request, status, filledQuantity } = order
    if (request.terms?.quotes === undefined || isWorking(status)) return
    const known = this.#find(request.terms.quotes)
    if (known === undefined) return
    const { set, decision } = known
    const leaving = set.leaving.find(({ clientOrderId }) => clientOrderId === request.clientOrderId)
    if (leaving === undefined) noteRefusal(set, order, this.#options.orderPlacer.referencePrice)
    else {
      set.leaving = set.leaving.filter(one => one !== leaving)
      takeOff(set.waiting, request.side, filledQuantity - leaving.filled)
    }
    if (set.waiting.length === 0) return
    this.#options.orderPlacer.resume(decision)
    this.#place(set, out)
  }

  /** Places no more quotes until the next declaration. */
  forget(): void {
    for (const { set } of this.#kept) set.waiting = []
  }

  /** Every set; do not modify it. */
  get kept(): readonly ActiveQuotes[] {
    return this.#kept
  }

  restore(kept: readonly ActiveQuotes[]): void {
    this.#kept = kept.map(({ set, decision }) => ({ set: copyOfSet(set), decision }))
  }

  #find(name = ''): ActiveQuotes | undefined {
    return this.#kept.find(({ set }) => set.name === name)
  }

  /** The set of a name, assigned to the current decision. */
  #setOf(name = ''): QuoteSet {
    const { decision } = this.#options.orderPlacer
    const index = this.#kept.findIndex(({ set }) => set.name === name)
    const set = this.#kept[index]?.set ?? emptySet(name)
    if (index < 0) this.#kept.push({ set, decision })
    else this.#kept[index] = { set, decision }
    return set
  }

  /**
   * The quotes on the grid; `undefined` without a price, or if one cannot be sized, which denies them all.
   */
  #declared(signal: QuotesSignal, out: EngineOutput[]): readonly DeclaredQuote[] | undefined {
    const { orderPlacer } = this.#options
    const side = signal.quotes[0]?.side ?? 'buy'
    const wish = { side, purpose: 'entry', plan: AT_MARKET, quantity: ZERO, reduceOnly: false } as const
    if (!orderPlacer.hasPrice) {
      if (signal.quotes.length > 0) orderPlacer.denyWithoutPrice(wish, out)
      return undefined
    }
    try {
      return declaredQuotes(signal, orderPlacer.riskView())
    } catch (error) {
      const actual = error instanceof Error ? error.message : String(error)
      const message = `The quotes could not be sized, so they are denied: ${actual}`
      const refusal = {
        rule: 'checkFailed',
        limit: 'size and price can be computed',
        actual,
        message,
      } as const
      orderPlacer.deny(wish, refusal, out)
      return undefined
    }
  }

  /** Quotes without a resting order; removes matching orders from `resting`. */
  #missing(set: QuoteSet, quotes: readonly DeclaredQuote[], resting: Order[]): readonly WaitingQuote[] {
    const room = {
      buy: this.#closable.byQuotes(set.name, 'buy'),
      sell: this.#closable.byQuotes(set.name, 'sell'),
    }
    return quotes.flatMap(quote => {
      const wanted = quote.reduceOnly ? steps(Math.min(quote.quantity, room[quote.side])) : quote.quantity
      if (quote.reduceOnly) room[quote.side] = steps(room[quote.side] - wanted)
      return takeMatching(resting, quote, wanted, set.signal) === undefined
        ? [{ ...quote, left: quote.quantity }]
        : []
    })
  }

  #place(set: QuoteSet, out: EngineOutput[]): void {
    if (set.waiting.length === 0) return
    const [later, now] = [[] as WaitingQuote[], [] as WaitingQuote[]]
    for (const quote of set.waiting) (this.#mustWait(set, quote) ? later : now).push(quote)
    set.waiting = later
    for (const quote of now) this.#placeOne(set, quote, out)
  }

  /** Contract orders of both sides share one margin, which an order frees when it ends. */
  #mustWait({ leaving }: QuoteSet, { side }: DeclaredQuote): boolean {
    const { holdsContracts } = rulesOf(this.#options.instrument)
    return leaving.some(order => holdsContracts || order.side === side)
  }

  #placeOne(set: QuoteSet, quote: WaitingQuote, out: EngineOutput[]): void {
    const { instrument, orderPlacer } = this.#options
    const { side, price, reduceOnly, postOnly, tag } = quote
    const refused = set.refused.find(one => one.side === side && one.price === price)
    if (refused?.at === orderPlacer.referencePrice) return
    const quantity = reduceOnly ? steps(Math.min(quote.left, this.#closable.by(side))) : quote.left
    // Risk denies a quote that is too small; a small remainder of one, or of a position, is silently dropped.
    if (quantity < quote.quantity && isTooSmall(instrument, price, quantity)) return
    const wish: UnplacedIntent = {
      book: reduceOnly
        ? this.#closable.bookOf(side)
        : this.#options.books.of(side === 'buy' ? 'long' : 'short'),
      side,
      purpose: reduceOnly ? 'exit' : 'entry',
      plan: { type: 'limit', price: priceOf(instrument, price), postOnly },
      quantity: baseAmount(instrument, quantity),
      reduceOnly,
      terms: { quotes: set.name },
      tag,
    }
    const from = out.length
    if (orderPlacer.place(wish, out) === undefined) noteDenial(set, { ...quote, quantity }, from, out)
  }
}

/** True if the exchange refuses an order as too small. */
function isTooSmall(instrument: Instrument, price: Ticks, quantity: Steps): boolean {
  const { minQuantity, minNotional } = instrument
  return quantity === 0 || quantity < minQuantity || notionalOf(instrument, price, quantity) < minNotional
}
