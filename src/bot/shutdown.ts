import type { EngineEvent } from '../domain/events/engine-event.ts'
import type { Executor } from '../execution/executor.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { BotOptions } from './bot-options.ts'

/** Parts of a shutdown. */
export interface ShutdownOptions extends Pick<BotOptions, 'config' | 'venue' | 'instruments' | 'state'> {
  readonly executor: Executor
  readonly emit: (event: EngineEvent) => void
  /** Compares books and exchange once. Never rejects. */
  readonly compare: () => Promise<void>
}

/** Pause before a closing order that changed nothing is sent again, ms. */
const REPEAT_AFTER_MS = 3000

/** The shutdown of a bot: cancels its orders or closes its positions as the configuration says, and waits for that. */
export class Shutdown {
  readonly #options: ShutdownOptions
  readonly #deadline: number
  /** `Ledger.changes` and the time, ms of the clock, when positions of a symbol were last ordered to close. */
  readonly #flattened = new Map<string, { readonly changes: number; readonly at: number }>()

  /** It begins now. */
  constructor(options: ShutdownOptions) {
    const { venue, config } = options
    this.#options = options
    this.#deadline = venue.clock.now() + config.execution.stopWithinMs
  }

  /** Resolves to true once all is done, to false at the deadline. */
  async end(): Promise<boolean> {
    const { config, venue, executor } = this.#options
    const { onStop } = config.execution
    if (onStop !== 'keep') await this.#inTime(executor.cancelAll())
    if (onStop === 'flatten') this.#flatten()
    while (!this.#isDone() && venue.clock.now() < this.#deadline) {
      await this.#inTime(this.#pause())
      await this.#inTime(executor.reconcile())
      if (executor.waitsForComparison) await this.#inTime(this.#options.compare())
      // Pending orders may have filled after the positions were closed.
      if (onStop === 'flatten' && executor.liveOrders === 0) this.#flatten()
    }
    return this.#isDone()
  }

  /**
   * Closes every position at market, and again when the ledger has changed, since an entry may have filled as
   * much as was closed, or after a pause, since the exchange may have refused it. The operator's wish passes
   * even a halt.
   */
  #flatten(): void {
    const { instruments, state, venue, emit } = this.#options
    for (const symbol of instruments.keys()) {
      const { ledger } = state.engine
      const before = this.#flattened.get(symbol)
      const now = venue.clock.now()
      const isEarly = before?.changes === ledger.changes && now < before.at + REPEAT_AFTER_MS
      if (isFlat(ledger, symbol) || isEarly) continue
      this.#flattened.set(symbol, { changes: ledger.changes, at: now })
      emit({ type: 'flattenRequested', symbol, purpose: 'operator', time: venue.serverNow() })
    }
  }

  /** True if the shutdown waits for no order or position. */
  #isDone(): boolean {
    const { config, instruments, state, executor } = this.#options
    const { onStop } = config.execution
    if (onStop === 'keep') return !executor.tracker.orders.hasUnconfirmed()
    const holdsNothing = [...instruments.keys()].every(symbol => isFlat(state.engine.ledger, symbol))
    return executor.liveOrders === 0 && (onStop !== 'flatten' || holdsNothing)
  }

  #pause(): Promise<void> {
    const { venue, config } = this.#options
    return new Promise(resolve => venue.clock.schedule(config.execution.pollOrdersMs, resolve))
  }

  /** Waits for work, but no longer than there is time. */
  async #inTime(work: Promise<void>): Promise<void> {
    const { clock } = this.#options.venue
    let forget = () => {}
    const over = new Promise<void>(resolve => {
      forget = clock.schedule(this.#deadline - clock.now(), resolve)
    })
    await Promise.race([work, over])
    forget()
  }
}

/** True if a symbol has no position on either side. */
function isFlat(ledger: Ledger, symbol: string): boolean {
  return ledger.grossQuantity(symbol, 'long') === 0 && ledger.grossQuantity(symbol, 'short') === 0
}
