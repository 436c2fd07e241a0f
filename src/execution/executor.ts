import { type CancelCause, cancellationFor } from '../domain/cancel-cause.ts'
import type { EngineEvent, OrderUpdated } from '../domain/engine-event.ts'
import type { Command } from '../domain/engine-output.ts'
import type { OrderRequest } from '../domain/order-request.ts'
import { InvariantError } from '../domain/sluice-error.ts'
import type { ExecutionOptions } from './execution-options.ts'
import { GroupGate } from './group-gate.ts'
import { OrderTracker } from './order-tracker.ts'
import { type Quote, TriggerBook } from './trigger-book.ts'

/** Carries out the engine's commands: at the exchange, or in the trigger book what the exchange does not offer. */
export class Executor {
  readonly #options: ExecutionOptions
  readonly #tracker: OrderTracker
  readonly #triggers = new TriggerBook()
  readonly #gate = new GroupGate()

  constructor(options: ExecutionOptions) {
    this.#options = { ...options, emit: event => this.#emit(event, options.emit) }
    this.#tracker = new OrderTracker(this.#options)
  }

  /** Orders at the exchange or on their way. */
  get liveOrders(): number {
    return this.#tracker.size
  }

  /** Starts to carry out a command; what becomes of it comes as events. */
  execute(command: Command): void {
    switch (command.type) {
      case 'placeOrder':
        this.#place(command.request)
        break
      case 'cancelOrder':
        this.#cancel(command.clientOrderId, command.cause)
        break
      case 'resizeOrder':
        // An order that has left the trigger book was sent with the quantity it had: IOC or market, over in a moment.
        this.#triggers.resize(command.clientOrderId, command.quantity)
    }
  }

  /** Sends the waiting orders whose price has come. */
  observe(symbol: string, quote: Quote): void {
    for (const request of this.#triggers.observe(symbol, quote)) {
      if (request.terms?.oco === undefined) void this.#tracker.send(request)
      else this.#sendOfGroup(request)
    }
  }

  /** Looks at every order at the exchange once; to be called regularly. */
  reconcile(): Promise<void> {
    return this.#tracker.reconcile()
  }

  /** Cancels everything: at the exchange and in the trigger book. */
  async cancelAll(): Promise<void> {
    for (const id of [...this.#triggers.ids, ...this.#gate.ids]) this.#cancel(id)
    await this.#tracker.cancelAll()
  }

  #place(request: OrderRequest): void {
    this.#update(request.clientOrderId, 'submitted')
    if (!TriggerBook.holds(request)) {
      void this.#tracker.send(request)
      return
    }
    this.#wait(request)
    this.#update(request.clientOrderId, 'accepted')
  }

  #wait(request: OrderRequest): void {
    const instrument = this.#options.instruments.get(request.symbol)
    if (instrument === undefined) throw new InvariantError(`No instrument has the symbol ${request.symbol}.`)
    this.#triggers.add(instrument, request)
  }

  /** What is at the exchange of its group is taken back first; of two whose price has come, the second waits on. */
  #sendOfGroup(request: OrderRequest): void {
    const others = this.#tracker.groupOf(request)
    if (this.#gate.isTaken(request)) this.#wait(request)
    else if (others.length === 0) void this.#tracker.send(request)
    else {
      this.#gate.hold(request, others)
      for (const id of others) void this.#tracker.cancel(id, 'groupTriggered')
    }
  }

  #cancel(clientOrderId: string, cause?: CancelCause): void {
    if (this.#triggers.remove(clientOrderId) || this.#gate.remove(clientOrderId)) {
      const { event, reason } = cancellationFor(cause)
      this.#update(clientOrderId, event, reason)
    } else void this.#tracker.cancel(clientOrderId, cause)
  }

  #update(clientOrderId: string, event: OrderUpdated['event'], reason?: string): void {
    const time = this.#options.serverNow()
    const details = reason !== undefined && { reason }
    this.#options.emit({ type: 'orderUpdated', clientOrderId, event, time, ...details })
  }

  #emit(event: EngineEvent, emit: ExecutionOptions['emit']): void {
    emit(event)
    for (const request of this.#gate.released(event)) void this.#tracker.send(request)
  }
}
