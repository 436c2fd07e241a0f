import { listedName } from '../../../../src/domain/account-symbol.ts'
import { bookOf, wholeBook } from '../../../../src/domain/book-names.ts'
import type { Instrument } from '../../../../src/domain/instrument.ts'
import { type Amount, add, amountToText } from '../../../../src/domain/numbers/amount.ts'
import { baseAmount, notionalOf, priceAmount, steps } from '../../../../src/domain/numbers/grid.ts'
import { type Order, openQuantityOf } from '../../../../src/domain/orders/order.ts'
import { isForcedClose } from '../../../../src/domain/orders/order-intent.ts'
import type { OrderRequest, OrderSpec } from '../../../../src/domain/orders/order-request.ts'
import { type Direction, entrySideOf, type Side } from '../../../../src/domain/orders/side.ts'
import { expectedPrice } from '../../../../src/ledger/reservation.ts'
import type { RiskLimits } from '../../../../src/risk/risk-rules.ts'
import type { Moment, Violation } from '../scene.ts'
import { freeOnPairs } from './free-money.ts'
import { lotsOf } from './held-lots.ts'

/** Limits, and the strategy's book that they are about; without one the whole account. */
interface Bound {
  readonly limits: RiskLimits
  readonly book?: string
}

/** What is decided can be paid for with everything decided before, is as large as the instrument asks for, and stays within the limits of account and strategy; so does what is held, whatever filled. */
export function riskLimitsKept(moment: Moment): readonly Violation[] {
  const placed = moment.decisions.flatMap(decision =>
    decision.type === 'placeOrder'
      ? problemsOf(moment, decision.request).map(problem => ({
          problem,
          about: decision.request.clientOrderId,
        }))
      : [],
  )
  const { event } = moment
  return event.type === 'filled' ? [...placed, ...heldTooMuch(moment, event.fill)] : placed
}

function problemsOf(moment: Moment, request: OrderRequest): readonly string[] {
  const { ledger } = moment
  const { symbol, side, quantity, reduceOnly } = request
  const instrument = ledger.instrument(symbol)
  const notional = worthOf(moment, request, quantity)
  const problems: string[] = []
  if (quantity < instrument.minQuantity) problems.push(`${quantity} steps are below the minimum`)
  if (notional < instrument.minNotional) problems.push(`${amountToText(notional)} is below the minimum`)
  const isPaidInQuote = side === 'buy' || instrument.futures !== undefined
  const asset = isPaidInQuote ? instrument.quote : instrument.base
  const left = freeOf(moment, asset, instrument)
  if (!reduceOnly && left < 0n) problems.push(`${amountToText(left)} ${asset} are left`)
  return [...problems, ...boundsOf(moment, request).flatMap(bound => beyond(moment, request, bound))]
}

/** What no order takes, and of contracts no margin; with what exits at market that have left will give back. */
function freeOf({ ledger }: Moment, asset: string, { futures, accountType }: Instrument): Amount {
  if (futures === undefined) return freeOnPairs(ledger, asset, accountType)
  const free = ledger.free(asset, accountType)
  const closing = new Map<string, number>()
  for (const order of ledger.orders.working) {
    const { reduceOnly, spec } = order.request
    if (!reduceOnly || spec.type !== 'market') continue
    const book = bookOf(order.request)
    closing.set(book, (closing.get(book) ?? 0) + openQuantityOf(order))
  }
  return [...closing].reduce((sum, [book, quantity]) => {
    const most = Math.min(quantity, ledger.contracts.of(book)?.quantity ?? 0)
    return add(sum, ledger.contracts.freedBy(book, steps(most)))
  }, free)
}

/** What an entry breaks; protective orders and exits may be more than limits let entries be. */
function beyond(moment: Moment, request: OrderRequest, { limits, book }: Bound): readonly string[] {
  if (request.reduceOnly) return []
  const { ledger } = moment
  const { maxNotional, maxWorkingOrders, maxPosition, maxExposure, priceBandRate, selfCrossingRate } = limits
  const problems: string[] = []
  const notional = worthOf(moment, request, request.quantity)
  if (maxNotional !== undefined && notional > maxNotional)
    problems.push(`${amountToText(notional)} is above the limit of one order`)
  const isCounted = (other: OrderRequest) => book === undefined || wholeBook(bookOf(other)) === book
  const working = ledger.orders.working.filter(order => isCounted(order.request))
  const entries = working.filter(order => !order.request.reduceOnly).length
  if (maxWorkingOrders !== undefined && entries > maxWorkingOrders)
    problems.push(`${working.length} orders work at once`)
  const limit = limits.maxOrders
  if (limit !== undefined && ordersWithin(moment, request, limit.perMs, isCounted) > limit.count)
    problems.push(`more than ${limit.count} orders came within ${limit.perMs} ms`)
  if (maxPosition !== undefined && 'base' in maxPosition) {
    const worst = baseAmount(ledger.instrument(request.symbol), steps(worstSteps(moment, request, book)))
    if (worst > maxPosition.base)
      problems.push(`${amountToText(worst)} of ${request.symbol} may come to be held`)
  }
  if (maxPosition !== undefined && 'quote' in maxPosition) {
    const worst = worstWorth(moment, request.symbol, book)
    if (worst > maxPosition.quote) problems.push(`${request.symbol} may come to be worth ${worst}`)
  }
  if (maxExposure !== undefined) {
    const worst = ledger.instruments.reduce((sum, { symbol }) => sum + worstWorth(moment, symbol, book), 0n)
    if (worst > maxExposure) problems.push(`everything may come to be worth ${worst}`)
  }
  if (priceBandRate !== undefined && isOutside(moment, request, priceBandRate))
    problems.push('its price is too far from the latest one')
  if (selfCrossingRate !== undefined && meetsItself(moment, request))
    problems.push('it meets an order of ours')
  return problems
}

function worthOf(
  { ledger }: Moment,
  { symbol, spec, referencePrice }: OrderRequest,
  quantity: number,
): Amount {
  return notionalOf(ledger.instrument(symbol), expectedPrice(spec, referencePrice), steps(quantity))
}

/** The account's limits, and those of the strategy that an order is of. */
function boundsOf({ risk }: Moment, request: OrderRequest): readonly Bound[] {
  const book = wholeBook(bookOf(request))
  return [{ limits: risk.account.limits ?? {} }, { limits: risk.strategies.get(book)?.limits ?? {}, book }]
}

/** Orders up to this one that were decided within so long before it. */
function ordersWithin(
  { ledger }: Moment,
  { clientOrderId, decidedAt }: OrderRequest,
  perMs: number,
  isCounted: (request: OrderRequest) => boolean,
): number {
  const requests = ledger.orders.remembered
    .map(({ request }) => request)
    // Nobody asks whether the exchange may take a position over.
    .filter(request => !isForcedClose(request.purpose) && isCounted(request))
  const upTo = requests.findIndex(other => other.clientOrderId === clientOrderId)
  return requests.slice(0, upTo + 1).filter(other => other.decidedAt > decidedAt - perMs).length
}

const DIRECTIONS: readonly Direction[] = ['long', 'short']

/** Steps held on the side of an order once every entry there has filled, and none on the other. */
function worstSteps(
  { ledger }: Moment,
  { symbol, side }: Pick<OrderRequest, 'symbol' | 'side'>,
  book: string | undefined,
): number {
  const held = heldOf(ledger, symbol, side === 'buy' ? 'long' : 'short', book)
  return entriesOf({ ledger }, symbol, side, book).reduce((sum, order) => sum + openQuantityOf(order), held)
}

/** Quote that this may come to on the worse side: at the latest price, and every order at its own if that is higher. */
function worstWorth({ ledger }: Moment, symbol: string, book: string | undefined): bigint {
  const instrument = ledger.instrument(symbol)
  const mark = ledger.markOf(symbol)
  const worths = DIRECTIONS.map(direction => {
    const quantity = heldOf(ledger, symbol, direction, book)
    const held = mark === undefined ? 0n : notionalOf(instrument, mark, steps(quantity))
    return entriesOf({ ledger }, symbol, entrySideOf(direction), book).reduce((sum, order) => {
      const own = expectedPrice(order.request.spec, order.request.referencePrice)
      const price = mark !== undefined && mark > own ? mark : own
      return sum + notionalOf(instrument, price, openQuantityOf(order))
    }, held as bigint)
  })
  return worths.reduce((most, worth) => (worth > most ? worth : most), 0n)
}

function heldOf(
  ledger: Moment['ledger'],
  symbol: string,
  direction: Direction,
  book: string | undefined,
): number {
  return lotsOf(ledger)
    .filter(lot => lot.symbol === symbol && lot.direction === direction)
    .filter(lot => book === undefined || wholeBook(lot.book) === book)
    .reduce((sum, { quantity }) => sum + quantity, 0)
}

function entriesOf(
  { ledger }: Pick<Moment, 'ledger'>,
  symbol: string,
  side: Side,
  book: string | undefined,
): readonly Order[] {
  return ledger.orders.working.filter(
    ({ request }) =>
      request.symbol === symbol &&
      request.side === side &&
      !request.reduceOnly &&
      (book === undefined || wholeBook(bookOf(request)) === book),
  )
}

function isOutside({ ledger }: Moment, request: OrderRequest, rate: bigint): boolean {
  const instrument = ledger.instrument(request.symbol)
  const latest = priceAmount(instrument, request.referencePrice)
  const most = (latest * rate) / 10n ** 18n
  return pricesOf(request.spec).some(price => {
    const distance = priceAmount(instrument, price) - latest
    return distance > most || distance < -most
  })
}

function pricesOf(spec: OrderSpec) {
  if (spec.type === 'limit') return [spec.price]
  if (spec.type === 'stopLimit') return [spec.price, spec.stopPrice]
  return spec.type === 'stop' ? [spec.stopPrice] : spec.type === 'ifTouched' ? [spec.triggerPrice] : []
}

/** Whether a limit order would trade with one of our own that worked on the other side when it was decided. */
function meetsItself({ ledger }: Moment, { clientOrderId, spec, side, symbol }: OrderRequest): boolean {
  if (spec.type !== 'limit') return false
  const { working } = ledger.orders
  const own = working.findIndex(({ request }) => request.clientOrderId === clientOrderId)
  return working.slice(0, own < 0 ? working.length : own).some(({ request }) => {
    const other = request.spec
    const isOneMarket = listedName(request.symbol) === listedName(symbol)
    if (!isOneMarket || request.side === side || other.type !== 'limit') return false
    return side === 'buy' ? other.price <= spec.price : other.price >= spec.price
  })
}

function heldTooMuch(
  moment: Moment,
  { symbol, clientOrderId }: { readonly symbol: string; readonly clientOrderId: string },
): readonly Violation[] {
  const { ledger } = moment
  const request = ledger.orders.get(clientOrderId)?.request
  if (request === undefined) return []
  return boundsOf(moment, request).flatMap(({ limits: { maxPosition }, book }) => {
    if (maxPosition === undefined || !('base' in maxPosition)) return []
    const most = Math.max(...DIRECTIONS.map(direction => heldOf(ledger, symbol, direction, book)))
    const held = baseAmount(ledger.instrument(symbol), steps(most))
    if (held <= maxPosition.base) return []
    return [
      { problem: `${amountToText(held)} of ${symbol} are held, more than may be`, about: clientOrderId },
    ]
  })
}
