import type { EngineEvent, OrderUpdated } from '../domain/events/engine-event.ts'
import type { Command } from '../domain/events/engine-output.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { Kline } from '../domain/market-data/kline.ts'
import { roundToTicks, type Steps, type Ticks } from '../domain/numbers/grid.ts'
import { type CancelCause, cancellationFor } from '../domain/orders/cancel-cause.ts'
import type { Order } from '../domain/orders/order.ts'
import type { OrderRequest } from '../domain/orders/order-request.ts'
import { isWorking } from '../domain/orders/order-status.ts'
import { InvariantError } from '../domain/sluice-error.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type Quote, type TrailMove, TriggerBook } from '../matching/trigger-book.ts'
import type { ExecutionOptions } from './execution-options.ts'
import { ExitGate, isBeside } from './gates/exit-gate.ts'
import { isOfGroup, OcoGate } from './gates/oco-gate.ts'
import { PositionHold } from './gates/position-hold.ts'
import { ReversalGate } from './gates/reversal-gate.ts'
import { WaitingOrders } from './gates/waiting-orders.ts'
import { isBuyBack, mayRest } from './gateway/placement.ts'
import type { SentRequests } from './sent-requests.ts'
import { OrderTracker } from './tracking/order-tracker.ts'

/** Standing of a working order; see `Executor.standingOf`. */
export type Standing = 'atRest' | 'executing' | 'untested' | 'missing'

/**
 * Executes the engine's commands: at the exchange, or in the trigger book if the exchange lacks the order
 * type.
 */
export class Executor {
  readonly #options: ExecutionOptions
  readonly #tracker: OrderTracker
  readonly #triggers = new TriggerBook()
  readonly #gate = new OcoGate()
  readonly #exits: ExitGate
  readonly #reversals: ReversalGate
  readonly #positionHolds = new PositionHold()
  /** Orders waiting in the last three gates; the engine regards them as sent. */
  readonly #beforeSending: readonly WaitingOrders[]
  /** Orders that must not be sent yet; `undefined` once any may. */
  #held: WaitingOrders | undefined
  #isDeciding = false

  constructor(options: ExecutionOptions) {
    this.#options = { ...options, emit: event => this.#emit(event, options.emit) }
    this.#tracker = new OrderTracker({
      ...this.#options,
      onPositionMismatch: symbol => this.holdPosition(symbol),
    })
    this.#exits = new ExitGate({
      exitsBeside: request => this.#tracker.orders.exitsBeside(request),
      heldFor: options.heldFor,
    })
    this.#reversals = new ReversalGate(request => this.#isExiting(request) || options.isHeldByExit(request))
    this.#beforeSending = [this.#exits.waiting, this.#reversals.waiting, this.#positionHolds.waiting]
  }

  /** Tracker of the orders at the exchange or being sent there. */
  get tracker(): OrderTracker {
    return this.#tracker
  }

  /**
   * Resumes the working orders of a ledger after a restart: sent ones are queried, those with a trigger wait
   * again, and unsent ones end; the exchange's ids of ended ones belong to no lost order. `klinesOf` returns the seen klines of a symbol.
   */
  resume(ledger: Ledger, sentRequests: SentRequests, klinesOf: (symbol: string) => Iterable<Kline>): void {
    for (const { status, exchangeOrderId } of ledger.orders.remembered)
      if (exchangeOrderId !== undefined && !isWorking(status)) this.#tracker.orders.noteEnded(exchangeOrderId)
    for (const order of [...ledger.orders.working]) {
      const { clientOrderId } = order.request
      const placed = sentRequests.placed(clientOrderId)
      const unwanted = sentRequests.unwanted(clientOrderId)
      const cancelWanted = unwanted !== undefined
      const cancelCause = unwanted?.cause
      if (placed.length > 0) {
        const fills = ledger.orders.fillsOf(clientOrderId)
        this.#tracker.resume(order, { sentRequests: placed, fills, cancelWanted, cancelCause })
      } else if (cancelWanted) {
        const { event, reason } = cancellationFor(cancelCause)
        this.#update(clientOrderId, event, reason)
      } else if (TriggerBook.holds(order.request))
        this.#waitAgain(order, ledger.orders.bestOf(clientOrderId), klinesOf)
      else this.#update(clientOrderId, 'notPlaced')
    }
  }

  /** Lets trailing stops follow a closed kline. */
  observeKline(symbol: string, kline: Kline): void {
    this.#triggers.observeKline(symbol, kline)
  }

  /** New best prices of waiting trailing stops since the last call. */
  drainTrailMoves(): readonly TrailMove[] {
    return this.#triggers.drainMoves()
  }

  /**
   * Present stop price of a waiting trailing stop; `undefined` before its activation, and for other orders.
   */
  stopPriceOf(clientOrderId: string): Ticks | undefined {
    return this.#triggers.stopPriceOf(clientOrderId)
  }

  /**
   * Standing of a working order: `atRest` at the exchange, which has confirmed it, or here, where a quote did not reach
   * its price; `executing` if the exchange has confirmed one that trades at once; `untested` here before a quote;
   * `missing` if it may be nowhere: waiting to leave, or without an answer.
   */
  standingOf(clientOrderId: string): Standing {
    const isTested = this.#triggers.isTested(clientOrderId)
    if (isTested !== undefined) return isTested ? 'atRest' : 'untested'
    const parts = this.#tracker.orders.partsOf(clientOrderId)
    const isConfirmed =
      parts.length > 0 && parts.every(({ exchangeOrderId }) => exchangeOrderId !== undefined)
    if (!isConfirmed) return 'missing'
    return parts.every(({ request }) => mayRest(request)) ? 'atRest' : 'executing'
  }

  /** Number of orders at the exchange, or being or waiting to be sent there. */
  get liveOrders(): number {
    return this.#beforeSending.reduce((sum, { size }) => sum + size, this.#tracker.orders.size)
  }

  /** True while orders wait for books and exchange to agree again. */
  get waitsForComparison(): boolean {
    return this.#positionHolds.waiting.requests.length > 0
  }

  /** True while orders wait because the exchange refused to close a position, or has less of it than the books. */
  get waitsForPosition(): boolean {
    return this.#positionHolds.areHeld
  }

  /** Holds placements until `release`, when ledger and exchange have been compared. */
  hold(): void {
    this.#held ??= new WaitingOrders()
  }

  /** Sends the held orders, and ends the hold. */
  release(): void {
    const held = this.#held
    this.#held = undefined
    for (const request of held?.takeAll() ?? []) this.#place(request)
  }

  /**
   * No order of a symbol is sent until `releasePositions`: its position at the exchange differs from the
   * books.
   */
  holdPosition(symbol: string): void {
    this.#positionHolds.hold(symbol)
  }

  /** No order decided by a strategy is sent until `releasePositions`: books and exchange were not compared yet. */
  holdUncompared(): void {
    this.#positionHolds.holdUncompared()
  }

  /**
   * Books and exchange agree again: sends the held orders, through the gates of exits and reversals again.
   */
  releasePositions(): void {
    for (const request of this.#positionHolds.release()) this.#send(request)
  }

  /** Ends `holdUncompared`, because no comparison will come to a verdict. */
  releaseUncompared(): void {
    for (const request of this.#positionHolds.endUncompared()) this.#send(request)
  }

  /**
   * Executes the commands of one decision. Waiting orders are sent only after all of them, because a later
   * command may cancel one.
   */
  together(send: () => void): void {
    this.#isDeciding = true
    try {
      send()
    } finally {
      this.#isDeciding = false
    }
    this.#sendWaiting()
  }

  /** Starts to execute a command; the results arrive as events. */
  execute(command: Command): void {
    switch (command.type) {
      case 'placeOrder':
        this.#place(command.request)
        break
      case 'cancelOrder':
        this.#cancel(command.clientOrderId, command.cause)
        break
      case 'resizeOrder':
        this.#resize(command.clientOrderId, command.quantity)
    }
  }

  /** Sends the triggered orders at a quote. */
  observe(symbol: string, quote: Quote): void {
    if (this.#held !== undefined) return
    for (const triggered of this.#triggers.observe(symbol, quote)) {
      const request = atQuote(this.#instrumentOf(triggered), triggered, quote)
      if (request.terms?.oco === undefined) this.#send(request)
      else this.#sendOfGroup(request)
    }
  }

  /** Looks at every order at the exchange once; to be called regularly. */
  async reconcile(): Promise<void> {
    await this.#tracker.reconcile()
    this.#sendWaiting()
  }

  /** Cancels unsent entries that are now blocked. Sent ones are tracked as usual. */
  withdraw(isMeant: (request: OrderRequest) => boolean): void {
    const gates = [this.#reversals.waiting, this.#positionHolds.waiting].flatMap(({ requests }) => requests)
    const waiting = [...gates, ...(this.#held?.requests ?? [])].filter(
      request => !request.reduceOnly && isMeant(request),
    )
    const ids = waiting.map(({ clientOrderId }) => clientOrderId)
    for (const id of [...ids, ...this.#tracker.orders.waitingEntries(isMeant)]) this.#cancel(id)
  }

  /** Cancels all orders at the exchange, and waiting orders here except protective ones. */
  async cancelAll(): Promise<void> {
    this.cancelUnsent()
    await this.#tracker.cancelAll()
  }

  /** Cancels the orders that wait here and protect nothing. */
  cancelUnsent(): void {
    const waiting = [this.#triggers, this.#gate, ...this.#beforeSending].flatMap(({ requests }) => requests)
    for (const { clientOrderId, protects } of waiting) if (protects === undefined) this.#cancel(clientOrderId)
  }

  #resize(clientOrderId: string, quantity: Steps): void {
    if (![this.#triggers, ...this.#beforeSending].some(gate => gate.resize(clientOrderId, quantity)))
      this.#tracker.resize(clientOrderId, quantity)
  }

  #place(request: OrderRequest): void {
    if (this.#held !== undefined && !TriggerBook.holds(request)) {
      this.#held.hold(request)
      return
    }
    this.#update(request.clientOrderId, 'submitted')
    if (!TriggerBook.holds(request)) {
      this.#send(request)
      return
    }
    this.#triggers.add(this.#instrumentOf(request), request)
    this.#update(request.clientOrderId, 'accepted')
  }

  #waitAgain(
    { request, status }: Order,
    best: Ticks | undefined,
    klinesOf: (symbol: string) => Iterable<Kline>,
  ): void {
    const { clientOrderId, symbol, spec } = request
    this.#triggers.add(this.#instrumentOf(request), request, best)
    if (spec.type === 'trailingStop')
      for (const kline of klinesOf(symbol)) this.#triggers.observeKline(symbol, kline)
    if (status === 'pending') this.#update(clientOrderId, 'submitted')
    if (status !== 'open') this.#update(clientOrderId, 'accepted')
  }

  #sendUnlessHeld(request: OrderRequest): void {
    if (!this.#positionHolds.holds(request)) void this.#tracker.send(request)
  }

  /**
   * An exit waits while another exit of the same position is live at the exchange (a resting one is
   * canceled); an entry waits while an exit of its side is pending.
   */
  #send(request: OrderRequest): void {
    if (!request.reduceOnly) {
      this.#reversals.waiting.hold(request)
      this.#sendWaiting()
      return
    }
    this.#exits.waiting.hold(request)
    for (const { clientOrderId } of this.#exits.makingWay(request)) void this.#tracker.cancel(clientOrderId)
    this.#sendWaiting()
  }

  #sendWaiting(): void {
    if (this.#isDeciding) return
    for (let next = this.#exits.next(); next !== undefined; next = this.#exits.next()) {
      const { request, may } = next
      if (may === 'send') this.#sendUnlessHeld(request)
      else this.#update(request.clientOrderId, 'canceled', 'Its position is closed already.')
    }
    for (let next = this.#reversals.next(); next !== undefined; next = this.#reversals.next())
      this.#sendUnlessHeld(next)
  }

  /** True if an exit beside an order is pending; resting ones do not count, since they may rest for long. */
  #isExiting(order: OrderRequest): boolean {
    const waiting = this.#exits.waiting.requests.filter(exit => isBeside(exit, order))
    const exits = [...waiting, ...this.#tracker.orders.exitsBeside(order).map(({ request }) => request)]
    return exits.some(({ spec }) => spec.type !== 'limit' && spec.type !== 'stopLimit')
  }

  #instrumentOf({ symbol }: OrderRequest): Instrument {
    const instrument = this.#options.instruments.get(symbol)
    if (instrument === undefined) throw new InvariantError(`No instrument has the symbol ${symbol}.`)
    return instrument
  }

  /**
   * First cancels other orders of the group, at the exchange or unsent; of two triggered ones, the second
   * keeps waiting.
   */
  #sendOfGroup(request: OrderRequest): void {
    const waiting = this.#beforeSending
      .flatMap(({ requests }) => requests)
      .filter(other => isOfGroup(other, request))
    if (this.#gate.isTaken(request) || waiting.some(({ spec }) => spec.type !== 'limit')) {
      this.#triggers.add(this.#instrumentOf(request), request)
      return
    }
    for (const { clientOrderId } of waiting) this.#cancel(clientOrderId, 'groupTriggered')
    const others = this.#tracker.orders.groupOf(request)
    if (others.length === 0) this.#sendUnlessHeld(request)
    else {
      this.#gate.hold(request, others)
      for (const id of others) void this.#tracker.cancel(id, 'groupTriggered')
    }
  }

  #cancel(clientOrderId: string, cause?: CancelCause): void {
    const waited = this.#triggers.remove(clientOrderId) || this.#gate.remove(clientOrderId)
    const waitedFor = this.#waitedFor(clientOrderId)
    if (waited || waitedFor !== undefined) {
      const { event, reason } = cancellationFor(cause)
      this.#update(clientOrderId, event, reason ?? waitedFor)
    } else void this.#tracker.cancel(clientOrderId, cause)
  }

  /** Removes an order that waits to leave; returns what it waited for, as a sentence; `undefined` if none waits. */
  #waitedFor(clientOrderId: string): string | undefined {
    if (this.#positionHolds.waiting.remove(clientOrderId)) return NEVER_SENT.positionHold
    if (this.#reversals.waiting.remove(clientOrderId)) return NEVER_SENT.reversal
    if (this.#exits.waiting.remove(clientOrderId)) return NEVER_SENT.exit
    return this.#held?.remove(clientOrderId) ? NEVER_SENT.start : undefined
  }

  #update(clientOrderId: string, event: OrderUpdated['event'], reason?: string): void {
    const time = this.#options.serverNow()
    const details = reason !== undefined && { reason }
    this.#options.emit({ type: 'orderUpdated', clientOrderId, event, time, ...details })
  }

  #emit(event: EngineEvent, emit: ExecutionOptions['emit']): void {
    emit(event)
    for (const request of this.#gate.released(event)) this.#sendUnlessHeld(request)
    this.#sendWaiting()
  }
}

/** Reasons of canceled orders that were waiting to leave. */
const NEVER_SENT = {
  positionHold: 'It never was at the exchange: it waited for books and account to agree.',
  reversal: 'It never was at the exchange: it waited for the end of an exit.',
  exit: 'It never was at the exchange: it waited for the end of another exit of its position.',
  start: 'It never was at the exchange: it waited for trading to begin.',
} as const

/** A buy-back of a short is priced from the latest quote when it is sent. */
function atQuote(instrument: Instrument, request: OrderRequest, { ask, last }: Quote): OrderRequest {
  if (!isBuyBack(instrument, request)) return request
  const price = Number.isFinite(ask) ? Math.max(ask, last) : last
  return { ...request, referencePrice: roundToTicks(instrument, price, 'up') }
}
