import type { OrderUpdated } from '../domain/engine-event.ts'
import type { Command } from '../domain/engine-output.ts'
import type { OrderRequest } from '../domain/order-request.ts'
import { InvariantError } from '../domain/sluice-error.ts'
import type { ExecutionOptions } from './execution-options.ts'
import { OrderTracker } from './order-tracker.ts'
import { type Quote, TriggerBook } from './trigger-book.ts'

/** Carries out the engine's commands: at the exchange, or in the trigger book what the exchange does not offer. */
export class Executor {
  readonly #options: ExecutionOptions
  readonly #tracker: OrderTracker
  readonly #triggers = new TriggerBook()

  constructor(options: ExecutionOptions) {
    this.#options = options
    this.#tracker = new OrderTracker(options)
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
        this.#cancel(command.clientOrderId)
        break
      case 'resizeOrder':
        // An order that has left the trigger book was sent with the quantity it had: IOC or market, over in a moment.
        this.#triggers.resize(command.clientOrderId, command.quantity)
    }
  }

  /** Sends the waiting orders whose price has come. */
  observe(symbol: string, quote: Quote): void {
    for (const request of this.#triggers.observe(symbol, quote)) void this.#tracker.send(request)
  }

  /** Looks at every order at the exchange once; to be called regularly. */
  reconcile(): Promise<void> {
    return this.#tracker.reconcile()
  }

  /** Cancels everything: at the exchange and in the trigger book. */
  async cancelAll(): Promise<void> {
    for (const id of this.#triggers.ids) this.#cancel(id)
    await this.#tracker.cancelAll()
  }

  #place(request: OrderRequest): void {
    this.#update(request.clientOrderId, 'submitted')
    if (!TriggerBook.holds(request)) {
      void this.#tracker.send(request)
      return
    }
    const instrument = this.#options.instruments.get(request.symbol)
    if (instrument === undefined) throw new InvariantError(`No instrument has the symbol ${request.symbol}.`)
    this.#triggers.add(instrument, request)
    this.#update(request.clientOrderId, 'accepted')
  }

  #cancel(clientOrderId: string): void {
    if (this.#triggers.remove(clientOrderId)) this.#update(clientOrderId, 'canceled')
    else void this.#tracker.cancel(clientOrderId)
  }

  #update(clientOrderId: string, event: OrderUpdated['event']): void {
    this.#options.emit({ type: 'orderUpdated', clientOrderId, event, time: this.#options.serverNow() })
  }
}
