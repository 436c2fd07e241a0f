import type { EngineOutput } from '../../domain/events/engine-output.ts'
import { type Steps, steps, stepsOfFraction, type Ticks } from '../../domain/numbers/grid.ts'
import type { DenialRule } from '../../domain/orders/denial.ts'
import { type Order, openQuantityOf } from '../../domain/orders/order.ts'
import type { Side } from '../../domain/orders/side.ts'
import type { QuotesSignal, QuoteWish } from '../../domain/signal.ts'

/** A quote as it was declared, on the grid. */
export interface DeclaredQuote {
  readonly side: Side
  readonly price: Ticks
  readonly quantity: Steps
  readonly postOnly: boolean
  /** True if the order may only close a position. */
  readonly reduceOnly: boolean
  readonly tag: string | undefined
}

/** A quote to place after the end of the orders it replaces. */
export interface WaitingQuote extends DeclaredQuote {
  /** Open quantity: orders being canceled may have filled since the declaration. */
  left: Steps
}

/** An order being canceled, and its filled quantity at the latest declaration. */
export interface LeavingOrder {
  readonly clientOrderId: string
  readonly side: Side
  filled: Steps
}

/** A quote that risk denied: reported once. */
export interface DeniedQuote extends Pick<DeclaredQuote, 'side' | 'price' | 'quantity'> {
  readonly rule: DenialRule
}

/** A quote refused by the exchange, and the latest price then: at that price it is not sent again. */
export interface RefusedQuote extends Pick<DeclaredQuote, 'side' | 'price'> {
  readonly at: Ticks
}

/** One set of quotes as plain data. Its resting orders are in the ledger. */
export interface QuoteSet {
  /** Empty for the set without a name. */
  readonly name: string
  signal: QuotesSignal
  waiting: readonly WaitingQuote[]
  leaving: readonly LeavingOrder[]
  denied: readonly DeniedQuote[]
  refused: readonly RefusedQuote[]
}

/** Default tolerance of quantities, a fraction. */
const TOLERANCE = 0.01

/** A new set. */
export function emptySet(name: string): QuoteSet {
  const signal: QuotesSignal = { type: 'quotes', quotes: [] }
  return { name, signal, waiting: [], leaving: [], denied: [], refused: [] }
}

/** True for a set without quotes and pending orders. */
export function isIdle({ signal, leaving }: QuoteSet): boolean {
  return signal.quotes.length === 0 && leaving.length === 0
}

/** A copy with independent parts. */
export function copyOfSet(set: QuoteSet): QuoteSet {
  const waiting = set.waiting.map(quote => ({ ...quote }))
  return { ...set, waiting, leaving: set.leaving.map(order => ({ ...order })) }
}

/** True if two declarations are equal. */
export function isSameSignal(one: QuotesSignal, other: QuotesSignal<string>): boolean {
  const { quotes } = other
  return (
    one.tolerance === other.tolerance &&
    one.quotes.length === quotes.length &&
    one.quotes.every((quote, index) => isSameWish(quote, quotes[index] as QuoteWish)) // as many
  )
}

function isSameWish(one: QuoteWish, other: QuoteWish): boolean {
  return (
    one.side === other.side &&
    one.price === other.price &&
    one.postOnly === other.postOnly &&
    one.reduceOnly === other.reduceOnly &&
    one.tag === other.tag &&
    sizeIn(one, 'base') === sizeIn(other, 'base') &&
    sizeIn(one, 'quote') === sizeIn(other, 'quote') &&
    sizeIn(one, 'equityFraction') === sizeIn(other, 'equityFraction')
  )
}

function sizeIn({ size }: QuoteWish, name: string): number | undefined {
  return (size as Readonly<Record<string, number>>)[name] // of its one key, and absent by any other
}

/** True if a quantity is within the tolerance of another. */
function isNear(quantity: Steps, wanted: Steps, { tolerance = TOLERANCE }: QuotesSignal): boolean {
  return Math.abs(quantity - wanted) <= stepsOfFraction(wanted, tolerance)
}

/** True if a resting order has the side and price of a quote. */
function isAt({ request: { side, spec, reduceOnly } }: Order, quote: DeclaredQuote): boolean {
  return (
    side === quote.side &&
    spec.type === 'limit' &&
    spec.price === quote.price &&
    (spec.kind === 'postOnly') === quote.postOnly &&
    reduceOnly === quote.reduceOnly
  )
}

/** Removes from `resting` the order that matches a quote, preferably the one with its tag, and returns it. */
export function takeMatching(
  resting: Order[],
  quote: DeclaredQuote,
  wanted: Steps,
  signal: QuotesSignal,
): Order | undefined {
  let found = -1
  for (let index = 0; index < resting.length; index++) {
    const order = resting[index] as Order // below the length
    if (!isAt(order, quote) || !isNear(openQuantityOf(order), wanted, signal)) continue
    if (found < 0) found = index
    if (order.request.tag !== quote.tag) continue
    found = index
    break
  }
  return found < 0 ? undefined : resting.splice(found, 1)[0]
}

/** Subtracts the fills of orders being canceled, so that their quantity is not placed again. */
export function takeOff(waiting: readonly WaitingQuote[], side: Side, filled: number): void {
  let rest = filled
  for (const quote of waiting) {
    if (quote.side !== side) continue
    const taken = Math.min(rest, quote.left)
    quote.left = steps(quote.left - taken)
    rest -= taken
  }
}

/** Drops a denial at index `from` of the outputs if the same quote was denied by the same rule before. */
export function noteDenial(set: QuoteSet, quote: DeclaredQuote, from: number, out: EngineOutput[]): void {
  const said = out[from]
  if (said?.type !== 'denied') return
  const { rule } = said.denial
  const { side, price, quantity } = quote
  const before = set.denied.find(one => one.side === side && one.price === price)
  set.denied = [...set.denied.filter(one => one !== before), { side, price, quantity, rule }]
  if (before?.rule === rule && isNear(quantity, before.quantity, set.signal)) out.length = from
}

/** Notes a quote that the exchange refused or canceled, which would happen again at the latest price `at`. */
export function noteRefusal(set: QuoteSet, { request: { side, spec }, status }: Order, at: Ticks): void {
  if ((status !== 'rejected' && status !== 'canceled') || spec.type !== 'limit') return
  const others = set.refused.filter(one => one.side !== side || one.price !== spec.price)
  set.refused = [...others, { side, price: spec.price, at }]
}
