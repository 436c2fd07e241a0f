import { bookOf } from '../../domain/book-names.ts'
import type { EngineOutput } from '../../domain/events/engine-output.ts'
import type { CancelCause } from '../../domain/orders/cancel-cause.ts'
import type { Order } from '../../domain/orders/order.ts'
import { isEndOfRun, type Purpose } from '../../domain/orders/order-intent.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'
import { isWorking } from '../../domain/orders/order-status.ts'
import type { Direction } from '../../domain/orders/side.ts'
import type {
  CancelEntriesSignal,
  EnterSignal,
  ExitSignal,
  ProtectSignal,
  Signal,
  TargetSignal,
} from '../../domain/signal.ts'
import type { Exits } from '../orders/exits.ts'
import type { OrderExpiry } from '../orders/order-expiry.ts'
import type { OrderPlacer } from '../orders/order-placer.ts'
import type { Decision } from '../orders/recent-decisions.ts'
import type { ExcessExit } from '../orders/resting-exits.ts'
import type { UnfinishedExits } from '../orders/unfinished-exits.ts'
import { idsOf, NO_IDS, NO_ORDERS, type WorkingOrders } from '../orders/working-orders.ts'
import type { PositionBooks } from '../position-books.ts'
import { copyOfSet, type QuoteSet } from '../quoting/quote-set.ts'
import type { Quoter } from '../quoting/quoter.ts'
import { isTurn, ordersBefore } from './list-order.ts'
import {
  distinct,
  leavesEntries,
  type OrderSignal,
  type PendingDecision,
  PendingSignals,
} from './pending-signals.ts'
import {
  isMarketEntry,
  replacedEntries,
  replacedExits,
  replacedHeldEntries,
  replacingSignal,
} from './replaced-orders.ts'
import type { SignalTranslator } from './signal-translator.ts'

/** Parts of a signal executor. */
export interface SignalExecutorOptions {
  readonly symbol: string
  readonly books: PositionBooks
  readonly orders: WorkingOrders
  readonly orderPlacer: OrderPlacer
  readonly translator: SignalTranslator
  readonly exits: Exits
  readonly unfinished: UnfinishedExits
  readonly quotes: Quoter
  /** Cancelable resting exits that exceed the remaining position. */
  readonly excessExits: (mayGo: (order: Order) => boolean) => readonly ExcessExit[]
  readonly lifetimes: OrderExpiry
  /** True if its account buys with its own quote only. */
  readonly paysFromFree: boolean
  /** Leaves market entries and targets unsized until an opening is seen. */
  readonly sizesAtOpen: boolean
  /** Called with each placed entry. */
  readonly onEntry: (request: OrderRequest) => void
  /** Changes the protection of open positions. */
  readonly onProtect: (signal: ProtectSignal, out: EngineOutput[]) => void
}

/**
 * State of a signal executor as plain data. An absent `decision` is the order placer's latest one, shared by
 * both afterwards.
 */
export interface SignalExecutorState {
  readonly waiting: readonly {
    readonly signals: readonly OrderSignal[]
    readonly cancels: readonly string[]
    /** Index in `decisions`; absent for the order placer's latest one. */
    readonly decision?: number | undefined
    readonly inList?: true | undefined
    readonly atOpening?: true | undefined
  }[]
  /** Decisions with waiting signals or quotes; those of one decision continue one numbering of orders. */
  readonly decisions: readonly Decision[]
  /** Absent without quotes. */
  readonly quotes?: readonly { readonly set: QuoteSet; readonly decision?: number | undefined }[]
}

/**
 * Executes the signals of one decision. Replaced orders are canceled first, and their replacements wait until
 * they have ended, so that old and new can never both fill.
 */
export class SignalExecutor {
  readonly #options: SignalExecutorOptions
  readonly #waiting = new PendingSignals()

  constructor(options: SignalExecutorOptions) {
    this.#options = options
  }

  /** True if a signal must be reported: false for quotes equal to the previous ones. */
  isNews(signal: Signal<string>): boolean {
    return signal.type !== 'quotes' || this.#options.quotes.isNews(signal)
  }

  /** Reason that an account cannot execute a signal, as a sentence. */
  problemOf({ type }: Signal<string>): string | undefined {
    return type === 'quotes' ? this.#options.quotes.problem : undefined
  }

  /** Executes the signals of one decision in order, and ladders of quotes after all others. */
  execute(decided: readonly Signal[], out: EngineOutput[]): void {
    if (decided.every(isOrderSignal)) {
      this.#executeOrders(decided, out)
    } else {
      this.#executeOrders(decided.filter(isOrderSignal), out)
      this.#declareQuotes(decided, out)
    }
  }

  #declareQuotes(decided: readonly Signal[], out: EngineOutput[]): void {
    for (const signal of decided)
      if (signal.type === 'quotes')
        this.#options.quotes.declare(signal, out, (ids, outputs) => this.#cancel(ids, outputs))
  }

  #executeOrders(decided: readonly OrderSignal[], out: EngineOutput[]): void {
    const { orders, unfinished, orderPlacer } = this.#options
    const signals = decided.some(isGrouped) ? withOwnGroups(decided, orderPlacer) : decided
    // Mostly no order works and no signal waits, so that nothing is replaced or waited for. Without closures here and in what is
    // called for every decision: they cost memory at the call, even where they are not reached.
    if (orders.areNone && this.isIdle && unfinished.all.length === 0) this.#translate(signals, out)
    else this.#replaceAndExecute(signals, out)
  }

  /** Executes signals beside orders, waiting signals or unfinished exits that they may replace. */
  #replaceAndExecute(signals: readonly OrderSignal[], out: EngineOutput[]): void {
    const { orders, exits, unfinished, books, lifetimes } = this.#options
    this.#forget(signals)
    this.#waiting.follow(signals)
    if (signals.some(takesQuotes)) this.#options.quotes.forget()
    const held = this.#heldEntries()
    unfinished.giveUp(exit => replacingSignal(signals, exit, books), out)
    // Without working orders, none is replaced or waited for.
    if (signals.length === 0 || orders.areNone) {
      this.#translate(signals, out)
      return
    }
    const entries: string[] = []
    const exitIds: string[] = []
    for (const signal of signals) {
      entries.push(...replacedEntries(signal, orders))
      if (held.length > 0) entries.push(...replacedHeldEntries(signal, held))
      exitIds.push(...replacedExits(signal, orders, exits))
    }
    this.#cancel([...entries, ...exitIds], out)
    // An order that has expired still holds money, or a part of the position, until its cancel is confirmed.
    if (!lifetimes.isEmpty && signals.some(needsRoom)) {
      entries.push(...this.#expiredOf(orders.entries()))
      exitIds.push(...this.#expiredOf(orders.restingExits()))
    }
    if (entries.length === 0 && exitIds.length === 0) {
      this.#translate(signals, out)
      return
    }
    // An exit only waits for exits: no other order can close the same part twice. A change of protection
    // replaces its own orders. Neither precedes an earlier signal of its list that trades at market.
    const trading = signals.findIndex(tradesFirst)
    const atOnce = signals.filter(
      ({ type }, place) =>
        (trading < 0 || place < trading) &&
        (type === 'protect' || (exitIds.length === 0 && (entries.length === 0 || type === 'exit'))),
    )
    this.#translate(atOnce, out)
    const later = signals.filter(signal => !atOnce.includes(signal) && signal.type !== 'cancelEntries')
    if (later.length === 0) return
    const { decision } = this.#options.orderPlacer
    this.#waiting.add({ signals: later, cancels: distinct([...entries, ...exitIds]), decision })
  }

  #expiredOf(orders: readonly Order[]): readonly string[] {
    return idsOf(orders).filter(id => this.#options.lifetimes.hasEnded(id))
  }

  /** Executes signals that waited for an order, once it has ended. */
  release(order: Order, out: EngineOutput[]): void {
    if (!isWorking(order.status)) this.releaseAfter(order.request.clientOrderId, out)
    this.#options.quotes.release(order, out)
  }

  /** Executes signals that waited for an order which is over. */
  releaseAfter(clientOrderId: string, out: EngineOutput[]): void {
    for (const { signals, decision, inList } of this.#waiting.released(clientOrderId)) {
      this.#options.orderPlacer.resume(decision)
      const from = out.length
      this.#translate(signals, out, inList)
      if (inList) followOn(out, from)
    }
  }

  /** Has the signals that waited for an order wait for the one that goes on with it. */
  goOnWaiting(before: string, next: string): void {
    this.#waiting.goOnWaiting(before, next)
  }

  /** Cancels orders with an expired time to live. */
  expire(ids: readonly string[], out: EngineOutput[]): void {
    this.#cancel(ids, out, 'expired')
  }

  /** After a fill of an entry in a group: cancels the others. */
  settleGroup(request: OrderRequest, out: EngineOutput[]): void {
    this.#cancel(idsOf(this.#options.orders.groupOf(request)), out, 'groupFilled')
  }

  /** Executes signals that wait for an opening and for no order; `again` as in `OpeningSeen`. */
  observeOpening(again: boolean, out: EngineOutput[]): void {
    for (const { signals, decision, inList } of this.#waiting.opened(again)) {
      this.#options.orderPlacer.resume(decision)
      this.#translate(signals, out, inList, true)
    }
  }

  /** Cancels exits without a position to close. */
  cancelIdleExits(out: EngineOutput[]): void {
    const { orders } = this.#options
    if (!orders.areNone) this.#cancel(idsOf(orders.idleExits()), out)
  }

  /**
   * Shrinks resting exits to the remaining position: an excess one is canceled, and rests again with the
   * remainder.
   */
  fitExits(out: EngineOutput[]): void {
    if (this.#options.orders.hasRestingExits) this.#shrinkExits(out)
  }

  #shrinkExits(out: EngineOutput[]): void {
    // An order of another event cannot be canceled before it has been sent.
    const wasSent = ({ request, status }: Order) =>
      status !== 'pending' || out.some(output => output.type === 'placeOrder' && output.request === request)
    const isLeaving = ({ clientOrderId }: OrderRequest) =>
      this.#waiting.all.some(({ cancels }) => cancels.includes(clientOrderId))
    const excess = this.#options.excessExits(order => wasSent(order) && !isLeaving(order.request))
    if (excess.length === 0) return
    const { decision } = this.#options.orderPlacer
    for (const { clientOrderId, rest } of excess) {
      this.#cancel([clientOrderId], out)
      const signals = rest === undefined ? [] : [rest]
      this.#waiting.add({ signals, cancels: [clientOrderId], decision })
    }
  }

  /** True without a position and without pending orders that could open one. */
  get isFlat(): boolean {
    const { orders, exits } = this.#options
    return !exits.isHolding && orders.entries().length === 0
  }

  /** True without waiting signals and quotes. */
  get isIdle(): boolean {
    return this.#waiting.areNone && this.#options.quotes.kept.length === 0
  }

  /** Cancels resting and waiting entries, and drops the quotes. */
  cancelEntries(
    out: EngineOutput[],
    entries: readonly Order[] = [...this.#options.orders.restingEntries(), ...this.#heldEntries()],
  ): void {
    this.#forget(ALL)
    this.#options.quotes.forget()
    this.#cancel(idsOf(entries), out)
  }

  /**
   * Cancels all resting and waiting orders, and closes the position at market. At the end of a run market entries are canceled as
   * well: there is no next open that they could trade at.
   */
  flatten(purpose: Purpose, out: EngineOutput[]): void {
    const { orders, unfinished } = this.#options
    this.cancelEntries(out, isEndOfRun(purpose) ? orders.entries() : undefined)
    this.#cancel(idsOf(orders.restingExits()), out)
    unfinished.giveUpAll(out)
    this.closeRest(purpose, out)
  }

  /** Closes at market the quantity that no market exit closes yet. */
  closeRest(purpose: Purpose, out: EngineOutput[]): void {
    this.#options.exits.flatten(purpose, out)
  }

  /** Waiting signals, and the quotes. */
  snapshot(): SignalExecutorState {
    const { orderPlacer, quotes } = this.#options
    const { latest } = orderPlacer
    const all = [...this.#waiting.all, ...quotes.kept]
    const decisions = [...new Set(all.map(({ decision }) => decision))].filter(one => one !== latest)
    const placeOf = (decision: Decision) => decision !== latest && { decision: decisions.indexOf(decision) }
    const waiting = this.#waiting.all.map(({ signals, cancels, decision, inList, atOpening }) => ({
      signals,
      cancels: [...cancels],
      ...placeOf(decision),
      ...(inList && { inList }),
      ...(atOpening && { atOpening }),
    }))
    return {
      waiting,
      decisions: decisions.map(decision => ({ ...decision })),
      ...(quotes.kept.length > 0 && {
        quotes: quotes.kept.map(({ set, decision }) => ({ set: copyOfSet(set), ...placeOf(decision) })),
      }),
    }
  }

  /** Restores a snapshot; restore the order placer first. */
  restore({ waiting, decisions, quotes = [] }: SignalExecutorState): void {
    const { orderPlacer } = this.#options
    const { latest } = orderPlacer
    const own = decisions.map(decision => orderPlacer.restored(decision))
    const decisionAt = (place: number | undefined) => (place === undefined ? undefined : own[place]) ?? latest
    for (const { cancels, decision, ...rest } of waiting)
      this.#waiting.add({ ...rest, cancels: [...cancels], decision: decisionAt(decision) })
    this.#options.quotes.restore(quotes.map(({ set, decision }) => ({ set, decision: decisionAt(decision) })))
  }

  /**
   * In order: a signal that depends on market orders of those before it waits, with all after it, until these
   * have ended; one that is sized at an opening waits, with all after it, for that opening.
   */
  #translate(
    signals: readonly OrderSignal[],
    out: EngineOutput[],
    inList?: PendingDecision['inList'],
    isOpening = false,
  ): void {
    const { orderPlacer, exits, unfinished, sizesAtOpen, translator } = this.#options
    const from = out.length
    exits.beginList()
    for (let place = 0; place < signals.length; place++) {
      const signal = signals[place] as OrderSignal // inside the bounds
      if (signal.type === 'cancelEntries') continue // done before
      const own = ordersBefore(signal, out, from, this.#options)
      const before = own.length > 0 || signal.type !== 'enter' ? own : this.#ordersInTheWay(signal)
      const atOpening = sizesAtOpen && !isOpening && isSizedAtMarket(signal)
      if (before.length === 0 && !atOpening) {
        this.#executeOne(signal, out)
        const isRefused = out.at(-1)?.type === 'denied' && !unfinished.areHeld
        if (signal.type === 'exit' && !isRefused) this.#exitAgainAfterEntries(signal)
        continue
      }
      if (before.length === 0 && signal.type === 'enter') {
        if (translator.isEntered(signal.direction) && !signal.scaleIn) continue
        translator.closeOpposite(signal, out)
      }
      this.#waiting.add({
        signals: signals.slice(place),
        cancels: [...before],
        decision: orderPlacer.decision,
        inList: before.length > 0 ? true : inList,
        atOpening: atOpening ? true : undefined,
      })
      return
    }
  }

  /**
   * Orders at market of earlier decisions that a market entry waits for: those that close all of the position in its
   * direction, because it opens another one afterwards, and entries in the other direction, which it will reverse.
   */
  #ordersInTheWay(signal: EnterSignal): readonly string[] {
    const { orders, exits, books } = this.#options
    if (orders.areNone || !isMarketEntry(signal)) return NO_IDS
    const { direction } = signal
    const turned = orders
      .entries()
      .filter(({ request }) => request.spec.type === 'market' && isTurn(signal, request, this.#options))
    const book = books.of(direction)
    const isReentry = exits.isHolding && !exits.isHoldingAgainst(direction) && exits.isLeaving(book)
    return idsOf(isReentry ? [...turned, ...orders.marketExits(book)] : turned)
  }

  /** Has a full exit also close what market entries on their way will open: it is executed once more when they are over. */
  #exitAgainAfterEntries(signal: ExitSignal): void {
    if (this.#options.orders.hasMarketEntries && !leavesEntries(signal)) this.#executeAfterEntries(signal)
  }

  #executeAfterEntries(signal: ExitSignal): void {
    const { orders, orderPlacer } = this.#options
    const directions = signal.direction === undefined ? DIRECTIONS : [signal.direction]
    const entries = directions.flatMap(direction => idsOf(orders.marketEntries(direction)))
    if (entries.length === 0) return
    const { decision } = orderPlacer
    this.#waiting.add({ signals: [signal], cancels: distinct(entries), decision, inList: true })
  }

  #executeOne(signal: Exclude<OrderSignal, CancelEntriesSignal>, out: EngineOutput[]): void {
    if (signal.type === 'exit') this.#options.exits.exit(signal, out)
    else if (signal.type === 'protect') this.#options.onProtect(signal, out)
    else this.#enter(signal, out)
  }

  #enter(signal: EnterSignal | TargetSignal, out: EngineOutput[]): void {
    const from = out.length
    this.#options.translator.translate(signal, out)
    for (let index = from; index < out.length; index++) {
      const output = out[index]
      if (output?.type === 'placeOrder') this.#options.onEntry(output.request)
    }
  }

  /** Market entries that wait for an exit at market of the position that they reverse. */
  #heldEntries(): readonly Order[] {
    return this.#options.orders.hasMarketEntries ? this.#entriesBehindExits() : NO_ORDERS
  }

  #entriesBehindExits(): readonly Order[] {
    const { orders, unfinished } = this.#options
    return orders.entries().filter(({ request, filledQuantity }) => {
      if (request.spec.type !== 'market' || filledQuantity > 0) return false
      const { side } = request
      const book = bookOf(request)
      return unfinished.has(book, side) || orders.marketExits(book).some(exit => exit.request.side === side)
    })
  }

  /** Cancels orders, except those that this event cancels already. */
  #cancel(ids: readonly string[], out: EngineOutput[], cause?: CancelCause): void {
    if (ids.length === 0) return
    const { symbol, quotes } = this.#options
    quotes.letGo(ids)
    for (const clientOrderId of ids) {
      if (out.some(output => output.type === 'cancelOrder' && output.clientOrderId === clientOrderId))
        continue
      out.push({ type: 'cancelOrder', clientOrderId, symbol, ...(cause !== undefined && { cause }) })
    }
  }

  /** Drops waiting signals of earlier decisions that the new one replaces. */
  #forget(signals: readonly OrderSignal[]): void {
    if (signals.every(leavesEntries)) return
    this.#waiting.forget(signals)
  }
}

/** Marks orders that waited for earlier orders of their decision. */
function followOn(out: EngineOutput[], from: number): void {
  for (let index = from; index < out.length; index++) {
    const output = out[index]
    if (output?.type === 'placeOrder') out[index] = { ...output, followsOn: true }
  }
}

const DIRECTIONS: readonly Direction[] = ['long', 'short']

/** Replaces all waiting signals except changes of protection. */
const ALL: readonly OrderSignal[] = [{ type: 'cancelEntries' }]

function isOrderSignal(signal: Signal): signal is OrderSignal {
  return signal.type !== 'quotes'
}

/** True if a signal trades at market, other than to close. */
function tradesFirst(signal: OrderSignal): boolean {
  return signal.type === 'target' || (signal.type === 'enter' && isMarketEntry(signal))
}

/** True if a signal trades at market with a size that depends on the price. */
function isSizedAtMarket(signal: OrderSignal): signal is EnterSignal | TargetSignal {
  if (signal.type === 'enter') return isMarketEntry(signal)
  return signal.type === 'target' && (signal.order === undefined || signal.order.type === 'market')
}

/** True if an order of a signal needs money, or a part of the position that no resting exit closes. */
function needsRoom(signal: OrderSignal): boolean {
  if (signal.type === 'exit') return signal.order !== undefined && signal.order.type !== 'market'
  return signal.type === 'enter' || signal.type === 'target'
}

/** True if a signal cancels resting orders including quotes. */
function takesQuotes(signal: OrderSignal): boolean {
  return signal.type === 'target' || (signal.type === 'exit' && !leavesEntries(signal))
}

/** Makes the group names of a decision unique to it. */
function withOwnGroups(signals: readonly OrderSignal[], orderPlacer: OrderPlacer): readonly OrderSignal[] {
  return signals.map(signal =>
    isGrouped(signal) ? { ...signal, oco: orderPlacer.groupName(signal.oco) } : signal,
  )
}

function isGrouped(signal: OrderSignal): signal is EnterSignal & { readonly oco: string } {
  return signal.type === 'enter' && signal.oco !== undefined
}
