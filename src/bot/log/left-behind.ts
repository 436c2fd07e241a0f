import { type Instrument, quantityUnit } from '../../domain/instrument.ts'
import { amountToText, negate, subtract, ZERO } from '../../domain/numbers/amount.ts'
import {
  baseAmount,
  NO_STEPS,
  priceOf,
  quantityText,
  type Steps,
  steps,
  ticks,
} from '../../domain/numbers/grid.ts'
import { type Order, openQuantityOf } from '../../domain/orders/order.ts'
import type { Position } from '../../domain/position.ts'
import type { Engine } from '../../engine/engine.ts'
import type { UnlistedOrder } from '../../execution/tracking/unlisted-trades-error.ts'
import { TriggerBook } from '../../matching/trigger-book.ts'
import { booksOf } from '../state/books-of.ts'
import { tradableBases } from '../state/tradable-bases.ts'
import { unlistedByOrder, unlistedExits, unlistedText } from '../text/unlisted-text.ts'
import { type ExitUnderWay, exitedText, exitsUnderWay } from './exits-under-way.ts'

/** Positions and orders that a bot leaves at its end, by book. */
export interface LeftBehind {
  /** For people, whole sentences. */
  readonly sentence: string
  readonly isNothing: boolean
}

/** Facts beside the books of a bot. */
export interface KnownBesides {
  /** Sentences about instruments that were halted because account and books do not agree. */
  readonly halts?: readonly string[]
  /** Contracts of others on the account, as text. */
  readonly foreign?: readonly string[]
  /** Orders that have executed what the exchange does not list yet. */
  readonly unlisted?: readonly UnlistedOrder[]
}

/** Statuses of orders that rest, or may rest, at the exchange. */
const AT_EXCHANGE: ReadonlySet<Order['status']> = new Set(['submitted', 'open', 'partiallyFilled', 'unknown'])

const UNPROTECTED =
  'without a journal the next start knows nothing of what is held and protects nothing; close or protect it at the exchange yourself.'

/** End of the sentence about a closing or an exit that was not done: the next start goes on with it only with a journal. */
function nextStartText(hasJournal: boolean): string {
  return hasJournal
    ? 'the next start goes on with it.'
    : 'without a journal no start goes on with it; do it at the exchange yourself.'
}

/**
 * Open positions, orders resting at the exchange, and stops that no longer work without the bot. `hasJournal`: the next
 * start goes on with them.
 */
export function leftBehind(
  engine: Pick<Engine, 'ledger' | 'runners' | 'closing' | 'unfinishedExits'>,
  hasJournal: boolean,
  { halts = [], foreign = [], unlisted = [] }: KnownBesides = {},
): LeftBehind {
  const { ledger, closing } = engine
  const held = heldTexts(engine)
  const owed = owedTexts(ledger)
  const working = [...ledger.orders.working]
  const notListed = unlistedByOrder(unlisted)
  const resting = working
    .filter(order => !TriggerBook.hasKept(order) && AT_EXCHANGE.has(order.status))
    .map(order => {
      const { symbol, clientOrderId } = order.request
      const left = steps(openQuantityOf(order) - (notListed.get(clientOrderId) ?? NO_STEPS))
      return { order, left, words: orderText(order, left, ledger.instrument(symbol)) }
    })
    .filter(({ left }) => left > NO_STEPS)
  const [sent, atExchange] = [true, false].map(isMarket =>
    resting
      .filter(({ order }) => (order.request.spec.type === 'market') === isMarket)
      .map(({ words }) => words),
  ) as [string[], string[]] // one of each
  const unwatched = working.filter(order => TriggerBook.hasKept(order)).length
  const sentences = [
    ...(halts.length === 0
      ? []
      : ['These are the books of this bot, and the account may hold something else.']),
    ...(held.length > 0
      ? [`Still held: ${held.join(', ')}.`]
      : [
          owed.length === 0 && unlisted.length === 0
            ? 'Nothing of this bot is held.'
            : 'No position of this bot is open.',
        ]),
    ...unlistedTexts(unlisted, hasJournal),
    ...owed,
    atExchange.length === 0
      ? 'No order of this bot rests at the exchange.'
      : `At the exchange ${atExchange.length === 1 ? 'rests' : 'rest'}: ${atExchange.join('; ')}.`,
    ...(sent.length === 0 ? [] : [`Sent at market, without a known end: ${sent.join('; ')}.`]),
    ...(unwatched === 0 || held.length === 0 || isAllClosed(engine, unlisted)
      ? []
      : [
          `${unwatched === 1 ? '1 protective order was' : `${unwatched} protective orders were`} in this process alone, not placed at the exchange, and ${unwatched === 1 ? 'fires' : 'fire'} no more: ${hasJournal ? 'nothing protects what is held until the bot runs again.' : UNPROTECTED}`,
        ]),
    ...(held.length === 0 || closing.size === 0
      ? []
      : [`The closing of ${[...closing].join(', ')} was not done; ${nextStartText(hasJournal)}`]),
    ...exitsUnderWay(engine, () => undefined).map(exit => unfinishedText(exit, hasJournal)),
    ...besidesTexts([...coinsOfOthers(engine), ...foreign]),
    ...new Set(halts),
  ]
  const isNothing = [held, owed, resting, halts, unlisted].every(list => list.length === 0)
  return { sentence: sentences.join(' '), isNothing }
}

/** Orders whose trades are not listed yet, so that what is held does not count them; empty without such orders. */
function unlistedTexts(unlisted: readonly UnlistedOrder[], hasJournal: boolean): readonly string[] {
  const later = hasJournal
    ? 'the next start books it once its trades are listed.'
    : 'without a journal no start books it, so look at the account.'
  return [true, false].flatMap(isExit => {
    const orders = unlisted.filter(({ request }) => request.reduceOnly === isExit).map(unlistedText)
    if (orders.length === 0) return []
    const [did, means] = isExit
      ? ['Closed', 'this is not counted as closed here, and']
      : ['Executed', 'this is not counted as held here, no stop protects it, and']
    return [
      `${did} at the exchange, which does not list the trades yet: ${orders.join('; ')}; ${means} ${later}`,
    ]
  })
}

/** True if exits have closed all that is held at the exchange, which does not list the trades yet. */
function isAllClosed(
  { ledger, runners }: Pick<Engine, 'ledger' | 'runners'>,
  unlisted: readonly UnlistedOrder[],
): boolean {
  const closed = unlistedExits(unlisted)
  return booksOf({ ledger, runners }).every(
    ({ name }) => (ledger.position(name)?.quantity ?? 0) <= (closed.get(name) ?? 0),
  )
}

/** Such as `Besides, the account holds 2.996 AAA, which is no position of this bot.` */
function besidesTexts(others: readonly string[]): readonly string[] {
  return others.length === 0
    ? []
    : [`Besides, the account holds ${others.join(', ')}, which is no position of this bot.`]
}

/** Coins on the spot account beyond what the positions hold, enough for an order: bought by hand, or there before. */
function coinsOfOthers({ ledger, runners }: Pick<Engine, 'ledger' | 'runners'>): readonly string[] {
  const books = booksOf({ ledger, runners })
  const instruments = new Set(books.map(({ instrument }) => instrument))
  const quotes = new Set([...instruments].map(({ quote }) => quote))
  const rest = (asset: string) => {
    let amount = ledger.balances.in('spot').of(asset)
    for (const { name, instrument } of books) {
      const position = ledger.position(name)
      if (position === undefined || instrument.base !== asset || instrument.accountType !== 'spot') continue
      amount = subtract(amount, baseAmount(instrument, position.quantity))
    }
    return quotes.has(asset) ? undefined : amount
  }
  return tradableBases(instruments, rest).map(({ asset, amount }) => `${amountToText(amount)} ${asset}`)
}

/** Such as `By the books of this bot the margin account owes 1.5 BTC.`, of each negative balance. */
function owedTexts({ balances }: Engine['ledger']): readonly string[] {
  return balances
    .snapshot()
    .flatMap(({ account, balances: amounts }) =>
      amounts
        .filter(([, amount]) => amount < ZERO)
        .map(
          ([asset, amount]) =>
            `By the books of this bot the ${account} account owes ${amountToText(negate(amount))} ${asset}.`,
        ),
    )
}

/** Such as `The exit of BTC/USDT was not done (1 of 3 BTC sold); the next start goes on with it.` */
function unfinishedText({ book, closed, quantity, unit, side }: ExitUnderWay, hasJournal: boolean): string {
  return `The exit of ${book} was not done (${closed} of ${quantity} ${unit} ${exitedText(side)}); ${nextStartText(hasJournal)}`
}

/** Open positions, of these symbols or of all. */
export function heldTexts(
  { ledger, runners }: Pick<Engine, 'ledger' | 'runners'>,
  symbols?: ReadonlySet<string>,
): readonly string[] {
  return booksOf({ ledger, runners }).flatMap(({ name, instrument }) => {
    const position = ledger.position(name)
    const isAsked = symbols === undefined || symbols.has(instrument.symbol)
    return position === undefined || !isAsked ? [] : [heldText(position, instrument)]
  })
}

/** Such as `short 504 contracts of E-BTC-USDT`. */
function heldText({ direction, quantity, book }: Position, instrument: Instrument): string {
  return `${direction} ${quantityText(instrument, quantity)} ${quantityUnit(instrument, quantity)} of ${book}`
}

/** Such as `buy 0.5 BTC of BTC/USDT at 99 (ID)`, of what is not filled yet, in steps. */
function orderText(order: Order, open: Steps, instrument: Instrument): string {
  const { request, status, exchangeOrderId } = order
  const { side, quantity, symbol, spec, clientOrderId } = request
  const price = 'price' in spec ? ` at ${priceOf(instrument, ticks(spec.price))}` : ''
  const doubt = status === 'unknown' ? ', of which nobody knows whether it arrived' : ''
  const id = exchangeOrderId === undefined ? clientOrderId : `${clientOrderId}, ${exchangeOrderId}`
  const left = `${quantityText(instrument, open)} ${quantityUnit(instrument, open)} of ${symbol}`
  const whole = open < quantity ? `, what is left of ${quantityText(instrument, quantity)}` : ''
  return `${side} ${left}${price}${whole} (${id})${doubt}`
}
